"""What hooks write down while torch compiles: live objects, in order.

Nothing here is private torch API.
"""
