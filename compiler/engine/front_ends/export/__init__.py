"""torch.export: graph, signature, sizes, draft report.

Keeping edits as code is `compiler.engine.recompile.export`.
"""
