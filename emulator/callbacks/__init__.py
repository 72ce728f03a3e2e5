"""Callbacks: what is told to merchants, how it is signed, and how it is delivered."""
