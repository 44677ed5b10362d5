"""A function and its global in a module of their own, for `framed_programs`."""

SHIFT = 2.0


def shifted(x):
    return x + SHIFT
