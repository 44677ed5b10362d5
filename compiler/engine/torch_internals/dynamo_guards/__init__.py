"""Hook and readers of Dynamo's guards and cache entries.

Trying inputs on them is `compiler.engine.guards`.
"""
