"""Edits made from what a person picks: pure functions, a graph and a choice in, an edit out.

Nothing here changes or asks anything.
"""
