"""Where in the program a graph stands that runs: its code has a line for each node, and a node the stack where it was read."""

import inspect
import re
import sys
import traceback
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_ROW = re.compile(r'^ *File "(.+)", line (\d+), in (.+)$', re.MULTILINE)
_GIVEN_A_NODE = (
    ("/torch/fx/interpreter.py", "run_node", "n"),
    ("/torch/_inductor/graph.py", "run_node", "n"),
    ("/torch/_inductor/pattern_matcher.py", "apply", "node"),
)


def running_node(frame: FrameType, line: int) -> "torch.fx.Node | None":
    """The node that runs in a frame of a graph module's code; None in all others. `line`: of the frame, from 1."""
    if frame.f_code.co_name != "forward" or not frame.f_code.co_filename.startswith("<eval_with_key>"):
        return None
    module = _local(frame, "self")
    if not isinstance(module, sys.modules["torch.fx"].GraphModule):  # it ran, so it is loaded
        return None
    index = (getattr(module, "_lineno_map", None) or {}).get(line - frame.f_code.co_firstlineno)
    nodes = list(module.graph.nodes)
    return nodes[index] if index is not None and index < len(nodes) else None


def program_rows(frame: FrameType, line: int) -> list[traceback.FrameSummary]:
    """The stack of the program for the node that runs in a frame, innermost last; empty in a frame of no graph."""
    node = running_node(frame, line)
    return stack_rows((node.stack_trace if node is not None else None) or "")


def rows_worked_on(frame: FrameType, line: int) -> list[traceback.FrameSummary]:
    """The same, and of the node that a frame of torch's is given to run, lower or replace."""
    for path, function, argument in _GIVEN_A_NODE:
        if frame.f_code.co_name == function and frame.f_code.co_filename.endswith(path):
            return stack_rows(getattr(_local(frame, argument), "stack_trace", None) or "")
    return program_rows(frame, line)


def rows_behind(error: BaseException) -> list[traceback.FrameSummary]:
    """The stack of the program for the innermost node that torch was at when it raised; empty where it was at none."""
    found = (rows_worked_on(*item) for item in reversed(list(traceback.walk_tb(error.__traceback__))))
    return next((rows for rows in found if rows), [])


def _local(frame: FrameType, name: str) -> object:
    """Before Python 3.13 a frame keeps what `f_locals` once gave, with all that is in it, even after it is cleared."""
    found = frame.f_locals
    value = found.get(name)
    if type(found) is dict and frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # a copy, of a function's
        found.clear()
    return value


def stack_rows(text: str) -> list[traceback.FrameSummary]:
    """What a node's `stack_trace` says, innermost last."""
    return [traceback.FrameSummary(path, int(number), name) for path, number, name in _ROW.findall(text)]
