"""The language one finds nodes with, filters made of it, and how graphs were looked at.

Drawing stands in the app.
"""
