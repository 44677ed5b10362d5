"""The dispatcher's tables, operators taken apart, arguments they take, lessons.

Candidates for an edit are `graph_editing`.
"""
