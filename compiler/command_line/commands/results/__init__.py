"""Commands about what a step gives: its values, and what makes them wrong. What a step costs is reported by the commands beside
this folder.
"""
