"""Stages matched and laid beside each other, and edits carried from one capture to the next.

What the engine needs of it stands in `compiler.model.diff`.
"""
