"""Faults of S2S CARD look-ups."""
