"""Delta debugging of a graph: fewer operations, smaller sizes, common dtypes, inputs that are drawn, while something about it
stays as it was.
"""

import functools
from collections.abc import Callable, Collection
from typing import Any

import torch
import torch.fx

from compiler.engine.causes.least_program import Drawn, draws
from compiler.engine.causes.subprograms import Subprogram, subprogram
from compiler.engine.fx.interpreter import interpreter_of
from compiler.model.capture.counted import counted
from compiler.model.ir.ids import NodeId

ReportProgress = Callable[[str], None]

_MOST_TRIALS = 80
_SMALLEST = 1


class Shrinking:
    """Everything that is tried of one graph."""

    def __init__(
        self,
        source: torch.fx.GraphModule,
        values: dict[NodeId, Any],
        still: Callable[[Subprogram], bool],
        report_progress: ReportProgress,
    ) -> None:
        """`still`: whether a program is wrong, or fails, as the whole does."""
        self._source, self._values, self._still = source, values, still
        self._report_progress = report_progress
        self.trials = 0

    def _fails(self, tried: Subprogram | None) -> bool:
        if tried is None or self.trials >= _MOST_TRIALS:
            return False
        self.trials += 1
        self._report_progress(f"Making the program smaller: {counted(tried.calls, 'operation')}")
        return self._still(tried)

    def nodes(self, nodes: list[NodeId], hints: list[NodeId]) -> Subprogram | None:
        """With as few operations as can be; the hints by themselves first."""
        kept = next((some for some in (hints, nodes) if some and self._fails(self._of(some))), None)
        if kept is None:
            return None
        size = max(len(kept) // 2, 1)
        while size:
            start, before = 0, len(kept)
            while start < len(kept) and len(kept) > 1:
                fewer = kept[:start] + kept[start + size :]
                if fewer and self._fails(self._of(fewer)):
                    kept = fewer
                else:
                    start += size
            if size > 1 or len(kept) == before:  # each that goes may let one go that had to stay
                size //= 2
        return self._of(kept)

    def _of(self, kept: Collection[NodeId]) -> Subprogram | None:
        return subprogram(self._source, kept, self._values)

    def sizes(self, least: Subprogram) -> Subprogram:
        """With smaller tensors: each size of an input, wherever it is met, halved as long as it stays wrong."""
        for size in sorted(
            {size for value in least.inputs for size in value.shape if size > _SMALLEST}, reverse=True
        ):
            now = size
            while now > _SMALLEST:
                smaller = max(now // 2, _SMALLEST)
                tried = _resized(least, now, smaller)
                if tried is None or not self._fails(tried):
                    break
                least, now = tried, smaller
        return least

    def dtypes(self, least: Subprogram) -> Subprogram:
        """With float32 and int64 in place of other dtypes."""
        for index, value in enumerate(least.inputs):
            common = torch.float32 if value.is_floating_point() else torch.int64
            if value.dtype in (common, torch.bool) or value.is_complex():
                continue
            other = value.detach().to(common).requires_grad_(value.requires_grad)
            least = self._with_input(least, index, other)
        return least

    def gradients(self, least: Subprogram) -> Subprogram:
        """With no gradients asked for, of all inputs or else of each."""
        asking = [index for index, value in enumerate(least.inputs) if value.requires_grad]
        none = Subprogram(least.module, [value.detach() for value in least.inputs])
        if not asking or self._fails(none):
            return none if asking else least
        for index in asking if len(asking) > 1 else []:
            least = self._with_input(least, index, least.inputs[index].detach())
        return least

    def _with_input(self, least: Subprogram, index: int, value: torch.Tensor) -> Subprogram:
        tried = Subprogram(least.module, [*least.inputs[:index], value, *least.inputs[index + 1 :]])
        return tried if self._fails(tried) else least

    def plain_inputs(self, least: Subprogram) -> tuple[Subprogram, Drawn | None]:
        """With inputs that are drawn from a seed, if it is wrong with those too; and how they are drawn."""
        whole = any(not value.is_floating_point() for value in least.inputs)
        for whole_numbers in (True, False) if whole else (False,):
            for seed in range(3):
                drawn = Drawn(seed, whole_numbers)
                tried = Subprogram(least.module, draws(least.inputs, drawn))
                if self._fails(tried):
                    return tried, drawn
        return least, None


def _resized(least: Subprogram, old: int, new: int) -> Subprogram | None:
    """Every size and every number of one value made another; None where eager cannot run it."""
    inputs = [_cut(value, old, new) for value in least.inputs]
    graph = torch.fx.Graph()
    made: dict[torch.fx.Node, Any] = {}
    swap = functools.partial(_swapped, old=old, new=new)
    for node in least.module.graph.nodes:
        copied = graph.node_copy(node, made.__getitem__)
        copied.args, copied.kwargs = (
            torch.fx.node.map_aggregate(copied.args, swap),
            torch.fx.node.map_aggregate(copied.kwargs, swap),
        )
        made[node] = copied
    module = torch.fx.GraphModule(least.module, graph)
    try:
        interpreter_of(module, wide=False).run(*(value.detach() for value in inputs))
    except Exception:  # noqa: BLE001  then these sizes do not fit one another
        return None
    return Subprogram(module, inputs)


def _swapped(value: Any, old: int, new: int) -> Any:
    return new if type(value) is int and value == old else value


def _cut(value: torch.Tensor, old: int, new: int) -> torch.Tensor:
    where = tuple(slice(0, new) if size == old else slice(None) for size in value.shape)
    return value.detach()[where].clone().requires_grad_(value.requires_grad)
