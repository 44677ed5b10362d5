"""Guided tours: text files that name a program and walk through the window step by step. Showing them is the window's."""
