"""Any stage as boxes and arrows.

Where they are drawn is the app's `graph_layout`.
"""
