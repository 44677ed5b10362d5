"""Triton's interpreter, its lowering and its driver, for machines without the GPU.

Mostly one-way patches for a process of its own.
"""
