"""The user's program: loaded, given inputs, placed, stepped, put back.

What torch.compile makes of it is `capture`.
"""
