"""Rows of the Checkout requests."""
