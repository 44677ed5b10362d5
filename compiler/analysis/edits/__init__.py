"""Edits as a tree of states, under other names, and on the clipboard.

The edits themselves are `compiler.model.edits`.
"""
