"""torch.compiler.precompile: a program as generated Python that stands alone, without its weights.

What Inductor makes under torch.compile is stages of `compiler.engine.stages`.
"""
