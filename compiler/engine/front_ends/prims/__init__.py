"""PrimTorch: the program at four levels.

The decomposition of one operator is `compiler.engine.operators`.
"""
