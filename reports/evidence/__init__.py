"""The files of each finding: exchanges, a text for the ticket, commands that do it again."""
