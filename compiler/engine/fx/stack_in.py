"""The lines of the program that torch writes into the text of an error: which a graph met while it ran (``Original traceback:``),
or which is no error of Dynamo's own, while Dynamo traced (``from user code:``).
"""

import itertools
import traceback

from compiler.engine.fx.running_node import stack_rows

_BEGINS = ("Original traceback:", "from user code:")


def stack_in(text: str) -> list[traceback.FrameSummary]:
    """Innermost last; empty where the text has none."""
    begin = next((word for word in _BEGINS if word in text), _BEGINS[0])
    rows = text.partition(begin)[2].splitlines()[1:]
    # what torch says after it is not indented
    return stack_rows("\n".join(itertools.takewhile(lambda row: not row[:1].strip(), rows)))
