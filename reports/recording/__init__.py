"""Keeps the record of a run while it goes on, and joins records."""
