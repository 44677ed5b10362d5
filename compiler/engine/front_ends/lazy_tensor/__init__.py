"""LazyTensor: a program run on tensors that wait, its IR and its backward.

It needs a process of its own.
"""
