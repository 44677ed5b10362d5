"""Eager, and torch.compile as one front end among others.

Captures of torch.compile are `compiler.engine.capture`.
"""
