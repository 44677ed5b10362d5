"""Trials, compile options and stances: what was asked, and what came of it.

Words for them are `compiler.analysis.experiments`.
"""
