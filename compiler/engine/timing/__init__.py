"""Clocks and profilers: kernels, steps, breaks, budgets, states.

Ratios and intervals are `compiler.model.timing.paired_ratio`.
"""
