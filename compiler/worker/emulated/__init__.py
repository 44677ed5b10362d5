"""The process that compiles for an absent GPU."""
