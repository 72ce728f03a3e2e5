"""Variations of S2S APM."""
