"""Dialogs about generated kernels: source, instructions, knobs, launches, checks.

Edits of graphs are in `edit_forms`.
"""
