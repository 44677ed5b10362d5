"""One file for each command of `loupe`, and their arguments.

What they print stands in `reports`.
"""
