"""What every front end gives: a result, stages, graphs that can be edited.

No front end of its own.
"""
