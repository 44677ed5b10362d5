"""Containers, objects, classes and files as Python holds them: what stands where, and how it is put back. What of them is a
program's state says `program_state`.
"""
