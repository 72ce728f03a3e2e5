"""Faults of S2S CARD callbacks."""
