"""Callbacks of the S2S APM protocol."""
