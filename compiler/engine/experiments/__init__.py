"""A/B trials of changes, options, backends and dynamic shapes on copies of a program.

The program that is open is left alone.
"""
