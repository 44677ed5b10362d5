"""Triton kernels lowered and checked, as data.

What follows from them by calculation is `compiler.analysis.gpu`.
"""
