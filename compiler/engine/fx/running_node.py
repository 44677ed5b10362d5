"""Where in the program a graph stands that runs: its code has a line for each node, and a node the stack where it was read."""

import re
import sys
import traceback
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_ROW = re.compile(r'^ *File "(.+)", line (\d+), in (.+)$', re.MULTILINE)


def running_node(frame: FrameType, line: int) -> "torch.fx.Node | None":
    """The node that runs in a frame of a graph module's code; None in all others. `line`: of the frame, from 1."""
    if frame.f_code.co_name != "forward" or not frame.f_code.co_filename.startswith("<eval_with_key>"):
        return None
    module = frame.f_locals.get("self")
    if not isinstance(module, sys.modules["torch.fx"].GraphModule):  # it ran, so it is loaded
        return None
    index = (getattr(module, "_lineno_map", None) or {}).get(line - frame.f_code.co_firstlineno)
    nodes = list(module.graph.nodes)
    return nodes[index] if index is not None and index < len(nodes) else None


def program_rows(frame: FrameType, line: int) -> list[traceback.FrameSummary]:
    """The stack of the program for the node that runs in a frame, innermost last; empty in a frame of no graph."""
    node = running_node(frame, line)
    return stack_rows((node.stack_trace if node is not None else None) or "")


def stack_rows(text: str) -> list[traceback.FrameSummary]:
    """What a node's `stack_trace` says, innermost last."""
    return [traceback.FrameSummary(path, int(number), name) for path, number, name in _ROW.findall(text)]
