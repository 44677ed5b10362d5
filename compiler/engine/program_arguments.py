"""What a program that runs in a process of ours reads as its command line: its own name, and no word of ours.

A file that parses arguments when it is imported (``args = parser.parse_args()`` at its top) would fail at our words.
"""

import sys

_OURS: list[list[str]] = []
"""`sys.argv` as a process of ours left it; empty elsewhere (a script or notebook, whose command line is its own)."""


def hide_own() -> None:
    """From now on this process has no arguments. Call it once ours were read."""
    sys.argv = ["loupe"]
    _OURS[:] = [sys.argv]


def name(program: str) -> None:
    """The program is called this, as by ``python PROGRAM``, where the command line is not a person's own."""
    if _OURS:
        sys.argv = [program]
