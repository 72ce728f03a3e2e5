"""Look-ups of the S2S CARD protocol."""
