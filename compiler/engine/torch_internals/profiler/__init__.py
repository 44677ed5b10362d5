"""Hooks into torch's profilers: steps, GPU kernels, dispatched operations.

What is made of them is `compiler.engine.timing`.
"""
