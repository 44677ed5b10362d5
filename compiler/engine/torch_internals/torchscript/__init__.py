"""Readers of TorchScript's passes and IR.

The front end is `compiler.engine.front_ends.torchscript`.
"""
