"""Faults of Checkout callbacks."""
