"""What a node says of itself, where a pass of torch's takes its only user out.

Inductor's pass over ``y * 1`` or ``z + 0`` writes all metadata of the call that goes into the node that takes its place: our mark,
the stack and the module. That node is what it was before, so it keeps its own. Torch's own notes stay as torch left them (what is
generated may be made of them); what they were lies beside our mark, where `graph_import` looks first.
"""

from typing import Any

import torch

from compiler.engine.fx.graph_import import MARK, OWN_NOTES, Notes, our_note, own_notes


class OwnNotes:
    """Notes of nodes that took another's place in a pass, as they were before."""

    def __init__(self) -> None:
        self._kept: dict[torch.fx.Node, tuple[Any, Notes]] = {}

    def keep(self, node: torch.fx.Node) -> None:
        """Its notes, before the pass writes over them, unless it is a call without a mark, which takes that of what it replaces."""
        mark = our_note(node, MARK)
        if node in self._kept or (mark is None and node.op == "call_function"):
            return  # the pass may write over it a second time
        self._kept[node] = mark, own_notes(node)

    def put_back(self) -> None:
        """What was written over, at the end of the pass."""
        for node, (mark, notes) in self._kept.items():
            if our_note(node, MARK) is not mark:
                others = {key: value for key, value in (node.meta.get("custom") or {}).items() if key != MARK}
                node.meta["custom"] = others if mark is None else {**others, MARK: mark}
            if notes != own_notes(node):
                node.meta["custom"] = {**(node.meta.get("custom") or {}), OWN_NOTES: tuple(notes)}
        self._kept.clear()
