"""The one broker of the selection, and what a place means elsewhere: its colour, its line, its pass.

Panes ask here, never one another.
"""
