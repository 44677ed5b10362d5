"""What is predicted of a step on machines that are not here: how the work is spread over GPUs, what a step did on fakes, what
the machines can do, and what follows from it.

No graph stands here: those are in `compiler.model.ir`. What is computed from these is in `compiler.analysis.prediction`.
"""
