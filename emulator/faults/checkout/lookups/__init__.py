"""Faults of Checkout look-ups."""
