"""Graphs of a capture for other tools: networkx, GraphML, DOT.

Layout and drawing of our own stand in `app`. networkx is slow to load, so the window imports this only when asked.
"""
