"""Changed inputs as a person writes them.

They are tried by `compiler.engine.guards`.
"""
