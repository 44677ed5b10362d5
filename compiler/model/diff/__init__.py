"""Graphs, kernels, breaks and captures compared, as far as the engine asks for it.

The rest is `compiler.analysis.diff`.
"""
