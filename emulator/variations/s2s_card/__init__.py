"""Variations of S2S CARD."""
