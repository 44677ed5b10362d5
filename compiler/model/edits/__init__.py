"""Edits as values with inverses, what they ask of a graph, and their order.

Applying them to live graphs is the engine's `graph_editing`.
"""
