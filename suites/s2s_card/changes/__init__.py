"""Captures, refunds and voids of the S2S CARD protocol."""
