"""Faults of the hosted page."""
