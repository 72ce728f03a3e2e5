"""Faults of S2S APM."""
