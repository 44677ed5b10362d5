"""Edited graphs compiled again from the edited stage on.

Whether the result is right is for `verdicts`.
"""
