"""Operators as data: candidates, schemas, dispatch tables, decompositions, lessons.

They are read by the engine's `operators` and `graph_editing`.
"""
