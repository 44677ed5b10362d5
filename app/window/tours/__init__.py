"""Guided tours in the live window: cards that point at panes and wait until a step is done. What a tour says is in its file."""
