"""Changed inputs for guards, and what came of them.

How a person writes them is `compiler.analysis.guard_testing`.
"""
