"""Faults of the request that opens a Checkout session."""
