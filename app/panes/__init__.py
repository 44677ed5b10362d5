"""One package a pane; they talk to the session and never to one another.

Dialogs and docks are `app.window`.
"""
