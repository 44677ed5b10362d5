"""The live torch objects behind a capture, held for recompiles, and what surrounded their compile.

Records for reading only are `compiler.engine.records`.
"""
