"""The S2S CARD protocol: form posts that name an action."""
