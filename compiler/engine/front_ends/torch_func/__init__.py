"""torch.func: the program under vmap, grad and their nestings.

Batching rules of operators are read here, not written.
"""
