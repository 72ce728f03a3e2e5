"""Payments and what becomes of them in every protocol: states, schedules, tokens, callbacks, and the clock."""
