"""The ``loupe`` commands that need no window: capture, show, edit, time, doctor. They need no Qt and load no torch."""
