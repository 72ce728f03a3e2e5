"""Faults of Checkout payments."""
