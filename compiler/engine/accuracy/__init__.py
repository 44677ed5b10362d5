"""Whether two results are the same: tolerances, side effects, eager beside what was made of a program.

Verdicts on edits stand in `verdicts`.
"""
