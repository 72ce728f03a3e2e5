"""Captures, refunds, voids and credits of the Checkout protocol."""
