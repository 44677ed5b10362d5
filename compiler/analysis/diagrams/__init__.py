"""Ways through a diagram.

Diagrams themselves are `compiler.model.diagrams`.
"""
