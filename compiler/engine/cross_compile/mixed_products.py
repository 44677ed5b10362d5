"""Matrix products of tensors of two types, which no library computes: a program that has one fails where it is run, and shape
functions do not say so.
"""

from collections.abc import Iterator

from compiler.engine.file_ownership import innermost_line
from compiler.engine.torch_internals.fake_gpu.values.assumed_values import MULTIPLIED
from compiler.model.ir.arguments import NodeArgument
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import place
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue

_FACTORS = {str(product): which for product, which in MULTIPLIED.items()}
"""By target. Other products are refused by their shape functions."""


def mixed_products(stages: tuple[Stage, ...]) -> tuple[Problem, ...]:
    """A warning for each line that multiplies matrices of two types, as Inductor is given them."""
    found: dict[object, Problem] = {}
    for stage in stages:
        if stage.kind is not StageKind.POST_GRAD_GRAPH or stage.graph is None:
            continue
        for node, types in _mixed(stage.graph):
            line = innermost_line(node.stack)
            key = (line.path, line.line, types) if line is not None else (stage.id, node.id)
            if key not in found:
                found[key] = Problem(
                    f"{node.target} multiplies {types[0]} by {types[1]}, which fails where it is run; nothing is run here.",
                    "Convert one of them, or use autocast.",
                    path=line.path if line is not None else "",
                    line=line.line if line is not None else None,
                    severity=Severity.WARNING,
                    place=place(stage.id, node.id),
                )
    return tuple(found.values())


def _mixed(graph: Graph) -> Iterator[tuple[Node, tuple[str, str]]]:
    values = {node.id: node.value for node in graph.nodes}
    for node in graph.nodes:
        if (which := _FACTORS.get(node.target)) is None:
            continue
        first, second = (
            values.get(item.node) if isinstance(item, NodeArgument) else None
            for item in node.args.items[which]
        )
        if isinstance(first, TensorValue) and isinstance(second, TensorValue) and first.dtype != second.dtype:
            yield node, (first.dtype, second.dtype)
