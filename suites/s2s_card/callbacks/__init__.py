"""Callbacks of the S2S CARD protocol."""
