"""Sales and authorizations of the S2S APM protocol."""
