"""The canvas: the stage in front as boxes and arrows."""
