"""Widgets that know nothing of captures: code views, trees, labels.

A widget of one pane stands in that pane.
"""
