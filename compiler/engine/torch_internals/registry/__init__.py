"""The list of all hooks, and what each needs of this torch.

A new hook is entered here.
"""
