"""Samples of a timing run as they arrive, and what each node costs by them.

Statistics stand in `compiler.model.timing`.
"""
