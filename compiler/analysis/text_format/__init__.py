"""Stages as readable programs, and those programs read back.

Generated code is shown as it is and not parsed.
"""
