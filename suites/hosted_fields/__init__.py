"""Checks of Hosted Payment Fields."""
