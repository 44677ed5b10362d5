"""Edits applied to live FX graphs, shapes propagated, and what fits where.

Compiling what comes of it is `recompile`.
"""
