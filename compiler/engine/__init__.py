"""The engine: runs the real torch.compile, listens at every stage, edits, compiles again, times and judges.

Invariant: no Qt, no window. Private torch API is reached only through ``torch_internals``.
"""
