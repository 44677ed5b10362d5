"""`loupe predict`, and the trials of what would help."""
