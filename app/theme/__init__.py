"""Colours and fonts, light and dark.

Nothing is drawn here.
"""
