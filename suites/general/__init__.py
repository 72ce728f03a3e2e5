"""What the contract says of every protocol alike."""
