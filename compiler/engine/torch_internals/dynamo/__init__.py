"""Hooks into Dynamo's tracing: frames, instructions, breaks, graphs.

Its guards are `dynamo_guards`.
"""
