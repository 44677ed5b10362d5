"""Times as measured, ratios with intervals, verdicts.

What follows from them is `compiler.analysis.timing`.
"""
