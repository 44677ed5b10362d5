"""Every value of a step's post-grad graphs, summed up: run op by op with the inputs that the compiled graphs were given,
beside the buffers that compiled code made.
"""

from collections.abc import Iterator
from typing import Any

import torch
import torch.fx

from compiler.engine.fx.interpreter import run_seen
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.seen_graphs import SeenGraph, run_and_see
from compiler.model.edits.edits import Edit
from compiler.model.experiments.node_values import NodeValue, ValuesMeasured, ValueSummary
from compiler.model.ir.ids import StageId

_MOST_OF_HALF = 65504.0


def measure_values(program: EditedProgram, edits: tuple[Edit, ...]) -> ValuesMeasured:
    """Run one step and look at all of it. A graph that the step calls several times is looked at in its first call."""
    rows: list[NodeValue] = []
    not_run: list[StageId] = []
    for item in run_and_see(program, edits):
        if item.inputs is None:
            not_run.append(item.stage)
        else:
            rows += _rows(item, item.inputs)
    return ValuesMeasured(tuple(rows), tuple(not_run))


def _rows(item: SeenGraph, inputs: list[Any]) -> Iterator[NodeValue]:
    buffers = item.buffers()
    reported: dict[torch.fx.Node, ValueSummary] = {}
    unwritten: set[torch.fx.Node] = set()

    def see(node: torch.fx.Node, value: torch.Tensor) -> None:
        if _is_unwritten(node, unwritten):
            unwritten.add(node)
        else:
            reported[node] = summary(value)

    run_seen(item.module, inputs, False, see)
    for node, value in reported.items():
        buffer = buffers.get(node.name)
        read = [reported[other] for other in node.all_input_nodes if other in reported]
        fresh = node.op != "placeholder" or "forward" in item.stage or node.name.startswith("tangents")
        yield NodeValue(
            item.stage,
            node.name,
            value,
            summary(buffer.value) if buffer is not None else None,
            made_nan=fresh and bool(value.nans) and not any(other.nans for other in read),
            made_infinity=fresh
            and bool(value.infinities)
            and all(other.finite for other in read)
            and (bool(read) or node.op == "placeholder"),  # a constant is meant: a mask
        )


def _is_unwritten(node: torch.fx.Node, unwritten: set[torch.fx.Node]) -> bool:
    """Whether a node is memory that nothing was written to (``x.new_empty(…).bernoulli_()``), or a view of such: what happens to
    stand there says nothing.
    """
    if node.op != "call_function":
        return False
    if getattr(node.target, "is_view", False):
        return node.all_input_nodes[0] in unwritten if node.all_input_nodes else False
    return getattr(node.target, "overloadpacket", None) in _UNWRITTEN


_aten = torch.ops.aten
_UNWRITTEN = (
    _aten.empty,
    _aten.empty_like,
    _aten.empty_strided,
    _aten.empty_permuted,
    _aten.new_empty,
    _aten.new_empty_strided,
)


def summary(tensor: torch.Tensor) -> ValueSummary:
    """What is in a tensor. Complex numbers count by their parts, a sparse tensor's numbers as in a dense one."""
    values = _numbers(tensor.detach())
    exact = values.to(torch.float64)
    finite = exact[torch.isfinite(exact)]
    size, some = finite.abs(), bool(finite.numel())
    floating = values.dtype.is_floating_point
    least = torch.finfo(values.dtype).tiny if floating else 0.0
    return ValueSummary(
        exact.numel(),
        str(tensor.dtype).removeprefix("torch."),
        finite.min().item() if some else None,
        finite.max().item() if some else None,
        finite.mean().item() if some else None,
        zeros=int((exact == 0).sum()),
        nans=int(torch.isnan(exact).sum()),
        infinities=int(torch.isinf(exact).sum()),
        subnormals=int(((size > 0) & (size < least)).sum()),
        beyond_half=int((size > _MOST_OF_HALF).sum()) if floating else 0,
    )


def _numbers(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
