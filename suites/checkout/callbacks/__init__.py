"""Callbacks of the Checkout protocol."""
