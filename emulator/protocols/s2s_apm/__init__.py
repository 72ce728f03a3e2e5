"""The S2S APM protocol: payments by other methods than cards, and payouts to mobile phones."""
