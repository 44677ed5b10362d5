"""Links between stages, from what hooks wrote down.

Following links is `compiler.model.ir.links`.
"""
