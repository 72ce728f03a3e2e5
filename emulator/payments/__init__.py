"""Payments and what becomes of them, the same for all protocols."""
