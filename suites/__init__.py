"""What is checked, by protocol."""
