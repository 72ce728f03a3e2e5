"""Faults of S2S APM captures, voids and credit voids."""
