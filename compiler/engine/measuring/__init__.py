"""How times are taken fairly: interleaved, with the machine's load.

What is timed, and the statistics, stand elsewhere (`timing`, `compiler.model.timing`).
"""
