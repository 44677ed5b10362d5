"""The undo stack, the states edits led to, what they give before a compile, and their journal on disk.

How edits are made stands in `edit_builders`.
"""
