"""How boxes, arrows and the ground are drawn, and how large a box is.

What is drawn stands in `app.canvas.scene`; gestures and views stand above.
"""
