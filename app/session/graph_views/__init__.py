"""How graphs are looked at: filters, colours and kept views.

Nothing of it changes a graph.
"""
