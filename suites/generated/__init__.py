"""Checks that send generated requests: odd, hostile and random ones, each signed like any other."""
