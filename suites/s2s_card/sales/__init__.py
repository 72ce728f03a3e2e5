"""Sales, debits and payouts of the S2S CARD protocol."""
