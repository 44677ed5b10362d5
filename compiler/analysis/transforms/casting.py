"""A region in bfloat16: cast what goes in, cast back what comes out."""

from collections.abc import Mapping

import msgspec

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.capture.counted import counted
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.validation import EditError
from compiler.model.effects.memory import memory_of
from compiler.model.ir.arguments import Argument, ArgumentPath, ConstantArgument, children
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import TensorValue

_WIDE = ("float32", "float64", "float16")


def cast_region(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Run the chosen calls in bfloat16; all calls where none is chosen. Raises EditError."""
    region = [
        node.id for node in graph.nodes if node.op.startswith("call") and (not chosen or node.id in chosen)
    ]
    if not region:
        raise EditError("Select the calls that are to run in bfloat16.")
    builder = EditBuilder(stage, graph)
    method = not speaks_aten(graph)
    known = graph.by_id()
    region = _without_writers(graph, [node for node in region if not _says_dtype(known[node])])
    inside = set(region)
    for used in dict.fromkeys(name for node in region for name in known[node].inputs() if name not in inside):
        if _is_wide(known[used]):
            uses = tuple(
                use for use in builder.uses_of(used) if use[0] in inside and not _stays_wide(known, *use)
            )
            if not uses:
                continue
            _cast(
                builder,
                known[used],
                "bfloat16",
                method,
                uses,
                before=min((user for user, _ in uses), key=builder.index),
            )
    for node in region:
        outer = tuple(use for use in builder.uses_of(node) if use[0] not in inside)
        value = known[node].value
        if outer and _is_wide(known[node]) and isinstance(value, TensorValue):
            _cast(builder, known[node], value.dtype, method, outer, after=node)
    return builder.group(
        f"Run {counted(len(region), 'node')} in bfloat16",
        "No tensor of these nodes is a floating one that nothing writes to in place.",
    )


def _says_dtype(node: Node) -> bool:
    """Whether a call names the dtype of its result, or makes a tensor out of none: then its result is cast instead."""
    return not node.inputs() or any(_dtype_in(part) for part in (node.args, node.kwargs))


def _dtype_in(argument: Argument) -> bool:
    if isinstance(argument, ConstantArgument):
        return argument.kind == "dtype"
    return any(_dtype_in(child) for _, child in children(argument))


def _without_writers(graph: Graph, region: list[NodeId]) -> list[NodeId]:
    """The region without calls that use what is written to in place: a cast is a copy, which is not. What is made, written to and
    then used by calls of the region only may stay.
    """
    memory, known, users = memory_of(graph), graph.by_id(), graph.users()
    while True:
        inside = set(region)

        def stays_inside(name: NodeId, inside: set[NodeId] = inside) -> bool:
            members = memory.members(name)
            return members <= inside and not any(
                memory.is_written_after(member) and set(users[member]) - inside for member in members
            )

        def fits(node: Node) -> bool:
            used = (node.id, *(node.inputs()[:1] if _is_norm(node) else node.inputs()))
            return all(stays_inside(name) for name in used if memory.is_written(name))

        kept = [node for node in region if fits(known[node])]
        if len(kept) == len(region):
            return region
        region = kept


def _is_norm(node: Node) -> bool:
    return node.target in ("torch.nn.functional.batch_norm", "torch.nn.functional.instance_norm")


def _stays_wide(known: Mapping[NodeId, Node], user: NodeId, path: ArgumentPath) -> bool:
    """Whether a use is one of a norm's statistics or parameters: it keeps its statistics in them, in whatever its input is computed."""
    return _is_norm(known[user]) and path not in (("args", "0"), ("kwargs", "input"))


def _is_wide(node: Node) -> bool:
    return isinstance(node.value, TensorValue) and node.value.dtype in _WIDE


def _cast(
    builder: EditBuilder,
    node: Node,
    dtype: str,
    method: bool,
    uses: tuple[tuple[NodeId, tuple[str, ...]], ...],
    before: NodeId = "",
    after: NodeId = "",
) -> None:
    wanted = ConstantArgument("dtype", f"torch.{dtype}")
    value = node.value
    typed = msgspec.structs.replace(value, dtype=dtype) if isinstance(value, TensorValue) else value
    short = {"bfloat16": "bf16", "float32": "f32", "float16": "f16", "float64": "f64"}[dtype]
    builder.call(
        f"{node.id}_{short}", "to" if method else "prims.convert_element_type.default", node.id, wanted,
        before=before, after=after, uses=uses, like=node, value=typed, method=method,
    )  # fmt: skip
