"""Card tokens, recurring payments and schedules of the Checkout protocol."""
