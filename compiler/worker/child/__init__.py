"""Processes that a worker starts: for work that changes torch for good, may end the interpreter, or runs code out of a file.

What starts and watches them stands in `compiler.worker.child_processes` and `compiler.worker.persistent_child`.
"""
