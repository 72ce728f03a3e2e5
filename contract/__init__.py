"""What a gateway must do: the requirements, error pairs, transitions and field tables as data."""
