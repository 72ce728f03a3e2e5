"""Checks of the hosted payment page."""
