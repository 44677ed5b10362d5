"""Commands that read what other programs wrote, and run nothing."""
