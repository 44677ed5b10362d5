"""The life of a node over all stages and passes.

The passes themselves are `compiler.model.passes`.
"""
