"""Other tools beside this suite, on the same gateway with the same faults: ``python -m tests.bench.beside``."""
