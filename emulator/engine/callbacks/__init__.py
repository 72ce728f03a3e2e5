"""Callbacks: what they say, how they are signed, and how they are delivered."""
