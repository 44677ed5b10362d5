"""What calls of a graph do besides giving a result: what they write to, what may be the same memory, what draws random numbers.

Names and values are in `ir`; which edits follow from it is in `edits` and the analysis' `transforms`.
"""
