"""Breaks ranked and in plain words, and what a remedy is.

Which remedies there are for a break is `compiler.analysis.remedies`.
"""
