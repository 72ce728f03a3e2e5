"""What checks say of requirements, what is accepted, and what the gate makes of it."""
