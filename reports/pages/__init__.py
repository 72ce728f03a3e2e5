"""What people read: the page, the summary, the badge, the terminal, the catalogue."""
