"""What is open, and everything that can be done with it, without a widget.

Panes and window stand above.
"""
