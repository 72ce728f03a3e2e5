"""Stored cards, chains and schedules of the S2S CARD protocol."""
