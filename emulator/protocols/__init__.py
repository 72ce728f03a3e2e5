"""The protocols: what each of their addresses answers."""
