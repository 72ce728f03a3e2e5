"""What a run learned of the target, beyond verdicts: its errors, its lifecycle, its readings, its release."""
