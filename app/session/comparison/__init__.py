"""Two sides chosen, compared off the window's thread, and their differences as rows.

The comparing itself is `compiler.analysis.diff`.
"""
