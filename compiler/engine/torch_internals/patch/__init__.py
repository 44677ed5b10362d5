"""How a function of torch's is replaced and put back, and torch's own settings.

Hooks of one part of torch stand in its package.
"""
