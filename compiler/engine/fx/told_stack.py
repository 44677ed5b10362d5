"""The lines of the program that torch writes into the text of an error which a graph met while it ran: ``Original traceback:``."""

import itertools
import traceback

from compiler.engine.fx.running_node import stack_rows

_BEGIN = "Original traceback:"


def told_stack(text: str) -> list[traceback.FrameSummary]:
    """Innermost last; empty where the text has none."""
    rows = text.partition(_BEGIN)[2].splitlines()[1:]
    # what torch says after it is not indented
    return stack_rows("\n".join(itertools.takewhile(lambda row: not row[:1].strip(), rows)))
