"""Whether edits are right: references, judgement, other inputs, where results part.

Tolerances stand in `accuracy`.
"""
