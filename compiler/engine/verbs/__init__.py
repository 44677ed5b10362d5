"""The verbs the worker calls, one Engine a process, and what isolated child processes do.

It holds no logic of its own.
"""
