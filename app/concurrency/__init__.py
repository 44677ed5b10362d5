"""Work off the window's thread, and when Python's cycle collector may run.

No widgets, and nothing about captures.
"""
