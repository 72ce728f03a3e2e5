"""Variations of Checkout."""
