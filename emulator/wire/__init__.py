"""How requests are read and replies are written: bodies, forms, values of JSON, and what stands in front."""
