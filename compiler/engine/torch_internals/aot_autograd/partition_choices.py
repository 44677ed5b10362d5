"""Hook: a person's choices on the partition, put to torch's own partitioner.

Each becomes an edge that the minimum cut cannot cut, as torch itself says "never": the cheapest partition under the choices
is torch's answer, not ours. The budget takes the place of the configured one.
"""

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import networkx
import torch.fx

from compiler.engine.error_chain import chain
from compiler.engine.errors import EngineError
from compiler.engine.records.partitioner_state import LARGE, kept_bytes, recomputed_nodes
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.aot_autograd.minimum_cut import MINIMUM_CUT
from compiler.engine.torch_internals.patch.patching import around, is_there
from compiler.model.ir.memory_budget_curve import CurvePoint

GIVES = "choosing what is saved and recomputed"
NEEDS = (
    MINIMUM_CUT,
    "torch._functorch.partitioners:choose_saved_values_set",
    "torch._functorch.partitioners:estimate_runtime",
)
BUDGETS = tuple(number / 20 for number in range(21))
"""Where the curve is asked for."""


class Explored(Exception):  # noqa: N818  a way out, no error
    """The partitioner was asked for every budget; there is nothing to compile."""

    def __init__(self, points: tuple[CurvePoint, ...]) -> None:
        super().__init__("explored")
        self.points = points


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Put the choices of the region that is compiled to the partitioner."""
    live = recorder.live
    if live is None:
        yield
        return

    def minimum_cut(network: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        for name, saved in live.saved.items():
            refusal = _constrain(network, name, saved)
            if refusal:
                live.refusals[name] = refusal
        try:
            return original(network, *args, **kwargs)
        except networkx.NetworkXUnbounded as error:
            if not live.saved:
                raise
            # torch would write the whole graph into the folder that the person works in
            what = "No partition does what was chosen: something must be saved that may not be, or recomputed that cannot be."
            raise EngineError(what, "Take back the last choice.") from error

    def choose_saved(graph: Any, info: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        if live.exploring:
            raise Explored(explored(original, graph, info))
        if live.budget is not None:
            args, kwargs = (), {"memory_budget": live.budget}
        return original(graph, info, *args, **kwargs)

    with around(NEEDS[0], minimum_cut), around(NEEDS[1], choose_saved):
        yield


def _constrain(network: Any, name: str, saved: bool) -> str:
    """Torch's node is two in the network: what is on the source's side of the cut the forward computes, what is on the
    sink's the backward has; between them lies saving it. Gives "" or why that cannot be asked.
    """
    inner, outer = f"{name}_in", f"{name}_out"
    if inner not in network:
        return ""  # not weighed: the check after tells
    reason = "chosen by hand"
    if not saved:
        _allow_again(network, inner)
        network.add_edge(inner, "sink", capacity=math.inf, reason=reason)
        return ""
    if not network.has_edge(inner, outer):
        return "the backward computes it"
    if network[inner][outer]["capacity"] >= LARGE:
        return str(network[inner][outer].get("reason") or "torch never saves it")
    network.add_edge("source", inner, capacity=math.inf, reason=reason)
    network.add_edge(outer, "sink", capacity=math.inf, reason=reason)
    return ""


def _allow_again(network: Any, inner: str) -> None:
    """Computing it again is allowed; where what it takes cannot be saved (several results at once), that is too."""
    if network.has_edge("source", inner):
        network.remove_edge("source", inner)
    for before in list(network.predecessors(inner)):
        parent = before.removesuffix("_out") + "_in"
        if network.has_edge(parent, before) and network[parent][before]["capacity"] >= LARGE:
            _allow_again(network, parent)


def explored(choose: Any, graph: torch.fx.Graph, info: Any) -> tuple[CurvePoint, ...]:
    """What torch's partitioner, `choose`, would keep and repeat at each of `BUDGETS`."""
    estimate = _estimator()
    needed = [node for node in info.required_bw_nodes if node not in getattr(info, "tangents_closure", ())]
    needed += [used for node in info.required_bw_nodes for used in node.all_input_nodes]
    costs: dict[str, float] = {}
    points = []
    for budget in BUDGETS:
        saved = list(choose(graph, info, memory_budget=budget))
        names = {node.name for node in saved}
        forward = [node for node in needed if node not in info.required_bw_nodes]
        runs = {*info.required_fw_nodes, *recomputed_nodes(graph, set(), saved)}
        again = [node for node in recomputed_nodes(graph, names, forward) if node in runs]
        for node in again:
            if node.name not in costs:
                costs[node.name] = estimate(node)
        kept = kept_bytes(saved)
        points.append(
            CurvePoint(
                budget, kept, sum(costs[node.name] for node in again), len(again), tuple(sorted(names))
            )
        )
    return tuple(points)


def _estimator() -> Any:
    if not is_there(NEEDS[2]):
        return lambda node: math.nan
    from torch._functorch.partitioners import estimate_runtime

    def estimate(node: torch.fx.Node) -> float:
        try:
            return float(estimate_runtime(node))
        except Exception:  # noqa: BLE001  an operator may not run on the sizes assumed for it; it counts as cheap
            return 1.0

    return estimate


def points_in(error: BaseException) -> tuple[CurvePoint, ...] | None:
    """What was found out, if that is how the compile ended."""
    for seen in chain(error):
        if isinstance(seen, Explored):
            return seen.points
    return None
