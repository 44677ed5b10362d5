"""Runs of equal lines in generated texts: what is one ×80 in a graph is 80 times the same lines in a wrapper. Nothing is drawn here."""
