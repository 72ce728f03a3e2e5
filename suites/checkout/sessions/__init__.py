"""Sessions of the Checkout protocol."""
