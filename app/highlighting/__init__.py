"""What the words of each language are, as regular expressions.

No Qt: `app.widgets` colours with them.
"""
