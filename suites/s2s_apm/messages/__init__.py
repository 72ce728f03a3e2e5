"""Requests, signatures and error bodies of the S2S APM protocol."""
