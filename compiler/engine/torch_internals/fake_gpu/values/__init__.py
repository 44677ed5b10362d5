"""What fakes know of values: assumed by a person, found on the CPU, or computed of the program's own numbers.

Which kernels and layouts a GPU would choose is not here.
"""
