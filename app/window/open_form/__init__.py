"""The form that asks for a program, its inputs and how to compile it.

The page before any capture is `start`.
"""
