"""Workspaces: which panes a job needs, the docks they stand in, and switching between them. Panes are not made
here but by `app.window.pane_table`; a workspace knows them by their ids.
"""
