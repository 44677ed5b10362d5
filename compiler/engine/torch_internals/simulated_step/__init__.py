"""Running compiled code on fake tensors, as it would run: its wrappers, hooks, streams and collectives; kernels do nothing.

What is installed here is for good: only a process that does nothing else comes here.
"""
