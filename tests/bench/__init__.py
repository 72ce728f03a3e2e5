"""What a run costs, beside a loop of plain httpx that sends the same requests: ``make bench``."""
