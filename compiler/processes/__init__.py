"""How our processes end: with their client, with all that they started, and without leaving a folder. No torch, no Qt.

What the processes do is said elsewhere: `compiler.worker` serves, `compiler.command_line` and `app.engine_client` ask.
"""
