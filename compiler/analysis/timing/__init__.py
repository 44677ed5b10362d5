"""What follows from measured times: rooflines, time axes, memory plans, tables for other programs.

Measuring is the engine's.
"""
