"""Texts of generated kernels and wrappers: replaced, instrumented, disassembled.

Generating them is Inductor's.
"""
