"""What differs between runs."""
