"""Hooks into Inductor up to its scheduler: passes, patterns, fusions.

Kernels and their builds are `inductor_kernels`.
"""
