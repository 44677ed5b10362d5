"""Captures by other front ends edited: their graphs held, edits carried out, verdicts.

Dynamo's pipeline is edited by `compiler.engine.recompile`.
"""
