"""Trials and compile options put in words and tables.

How they are measured is the engine's.
"""
