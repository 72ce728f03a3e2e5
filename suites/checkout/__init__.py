"""Checks of the Checkout protocol."""
