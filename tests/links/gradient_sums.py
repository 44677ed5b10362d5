"""Sums of gradients, of which replacing an operation says nothing: autograd adds the gradients of a tensor's uses whatever these are."""

from collections.abc import Mapping, Sequence

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import Stage
from tests.links.judging import FX, Truth


def leave_sums_open(capture: Capture, truths: Sequence[Truth]) -> None:
    """A sum is neither a site's own nor another's where the site's are gradients that it adds, or what takes it: so it is of the uses
    of a tensor and of what made it. Of all other sites it stays another's, as does what is computed from it.
    """
    certain = Provenance(table for table in capture.links if table.proof != GUESS)
    for stage in capture.stages:
        if stage.kind not in FX or stage.graph is None:
            continue
        sums = _sums(stage, truths)
        for truth in truths:
            own = truth.own.get(stage.id, set())
            related = {name for name, others in sums.items() if others & own}
            if not related:
                continue
            truth.others[stage.id] = truth.others.get(stage.id, set()) - related
            for later, nodes in certain.descendants(place(stage.id, *related)).items():
                if later in truth.others:  # a pass may put a sum into the product that it adds to
                    truth.others[later] = truth.others[later] - nodes


def _sums(stage: Stage, truths: Sequence[Truth]) -> dict[str, set[str]]:
    """Of each sum what it adds and what takes it; what is a sum itself is looked through."""
    owned = set[str]().union(*(truth.own.get(stage.id, ()) for truth in truths))
    found = {
        node.id
        for node in stage.graph.nodes
        if node.target == "aten.add.Tensor" and "backward" in (node.lane, stage.part) and node.id not in owned
    }
    inputs = {node.id: node.inputs() for node in stage.graph.nodes}
    users = stage.graph.users()
    return {name: _beyond(name, inputs, found) | _beyond(name, users, found) for name in found}


def _beyond(name: str, edges: Mapping[str, tuple[str, ...]], sums: set[str]) -> set[str]:
    met, waiting = set[str](), [name]
    while waiting:
        for other in set(edges.get(waiting.pop(), ())) - met:
            met.add(other)
            if other in sums:
                waiting.append(other)
    return met
