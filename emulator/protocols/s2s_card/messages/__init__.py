"""What S2S CARD requests, answers and callbacks say."""
