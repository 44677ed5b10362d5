"""The pipeline as plain immutable data: the only part of the compiler that the window may import.

Invariant: every value here is frozen, hashable where its parts are, and survives encode and decode unchanged.
Nothing here imports torch or Qt, and nothing here runs code of the user's.
"""
