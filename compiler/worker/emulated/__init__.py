"""The process that compiles for a GPU that is not there."""
