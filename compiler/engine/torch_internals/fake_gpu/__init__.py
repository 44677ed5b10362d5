"""One-way patches that let torch compile for a GPU that is absent, or without values: for good, only in a process of its own.

Nothing here is undone.
"""
