"""Field rules: rows of tables, compiled once into a tree that checks a request in one walk."""
