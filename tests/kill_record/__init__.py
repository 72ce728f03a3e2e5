"""Which checks catch which fault: recorded by running all of them, and kept as data that depths are made of."""
