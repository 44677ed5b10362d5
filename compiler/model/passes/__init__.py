"""A stage replayed pass by pass.

What a pass recorded is `ir.passes`.
"""
