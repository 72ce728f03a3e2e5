"""Look-ups of the Checkout protocol."""
