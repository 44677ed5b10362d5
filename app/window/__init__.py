"""The main window, its docks, dialogs and bars.

Panes are `app.panes`, what they show is `app.session`.
"""
