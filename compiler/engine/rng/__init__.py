"""Random numbers: which operations draw, generator states, and draws given to another run.

The generators of Inductor and Triton are written out where they are used.
"""
