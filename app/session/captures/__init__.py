"""The captures that are open, and how one follows another.

What is asked of a worker stands in `engine_requests`.
"""
