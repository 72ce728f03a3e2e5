"""The Checkout protocol: sessions in JSON, and the hosted page."""
