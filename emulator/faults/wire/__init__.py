"""Faults of what all protocols share: access, and how answers are written."""
