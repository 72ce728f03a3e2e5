"""The result stream, its lines and the chain that holds them together."""
