"""Hooks into AOTAutograd and its partitioner.

Dynamo before it and Inductor after it have packages of their own.
"""
