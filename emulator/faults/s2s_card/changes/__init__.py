"""Faults of S2S CARD captures, voids and refunds."""
