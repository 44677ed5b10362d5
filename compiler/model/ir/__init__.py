"""The intermediate representations as values: graphs, loops, code, links, ids.

A whole capture is `capture`.
"""
