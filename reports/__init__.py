"""What a run leaves: results, verdicts, gate and renderings."""
