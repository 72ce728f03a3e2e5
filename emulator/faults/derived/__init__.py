"""Families of faults that are derived from tables."""
