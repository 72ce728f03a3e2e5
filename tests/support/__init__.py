"""What several tests share: targets that misbehave, gateways that listen, runs of the suite inside a test."""
