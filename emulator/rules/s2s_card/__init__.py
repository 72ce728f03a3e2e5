"""Rows of the S2S CARD actions. Form values are texts throughout."""
