"""Predictions: what is captured of many processes, the command, what would help."""
