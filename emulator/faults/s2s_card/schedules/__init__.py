"""Faults of S2S CARD schedules."""
