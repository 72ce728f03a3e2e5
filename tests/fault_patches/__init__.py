"""Faults that strangers wrote as patches of the gateway, tried one by one before anything is done about them."""
