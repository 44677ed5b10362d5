"""torch.fx.symbolic_trace, its transforms and its pitfalls.

Reading FX graphs is `compiler.engine.fx`.
"""
