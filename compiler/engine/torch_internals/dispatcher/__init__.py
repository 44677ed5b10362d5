"""Readers of the dispatcher's tables, and operators made for edits.

Undone where they register anything.
"""
