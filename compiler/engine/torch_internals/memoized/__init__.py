"""What torch computes again and again in one process with the same outcome, computed once.

Each file is a context manager that keeps one outcome together with all that it was computed from, and computes again as soon as
any of that is another. Nothing of a compile's result lives here: no graph, no kernel.
"""
