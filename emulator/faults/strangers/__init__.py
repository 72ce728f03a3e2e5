"""Faults of engineers who never saw the checks: what real gateways get wrong, each against a line of the contract."""
