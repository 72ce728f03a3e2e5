"""Units of each room, tested without a run of the suite."""
