"""Axes that the mouse zooms and moves. They know nothing of what stands on them."""
