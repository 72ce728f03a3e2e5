"""Faults of Hosted Payment Fields."""
