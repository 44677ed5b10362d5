"""Hooks into Inductor's code generation and builds.

What is scheduled is `inductor`.
"""
