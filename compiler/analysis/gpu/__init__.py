"""Occupancy, launch configurations and what a change of a Triton kernel needs of the GPU, by calculation.

Nothing here is measured.
"""
