"""The window: Qt, panes, canvas, and the entry point of `loupe`.

torch is never loaded here; the compiler's plain data is all that is used of it.
"""
