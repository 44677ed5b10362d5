"""Dialogs in which one makes an edit of a graph.

What an edit is made of stands in `app.session.edit_builders`.
"""
