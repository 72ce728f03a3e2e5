"""What is wrong with a target, by cause: failures that show the same deviation are one finding."""
