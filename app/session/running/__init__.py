"""A program that runs by itself, beside the window: what each of its processes reports, and which of them is shown. Nothing is
started or stopped here.
"""
