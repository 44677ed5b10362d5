"""What the window reports by itself: the one row above the panes with the result or the work at hand, and cards in a corner.

What a person asked to see stands in panes.
"""
