"""The fields of the page, and how a posted form is read."""
