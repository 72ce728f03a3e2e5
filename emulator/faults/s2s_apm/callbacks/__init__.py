"""Faults of S2S APM callbacks."""
