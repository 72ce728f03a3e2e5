"""Ways to change a design, part by part; faults and variations are made of them."""
