"""A region in bfloat16: cast what goes in, cast back what comes out."""

from collections.abc import Mapping

import msgspec

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.capture.counted import counted
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.purity import gives_its_input, is_known, written_inputs
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import Argument, ArgumentPath, ConstantArgument, children, node_in
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
    region = _without_writers(known, [node for node in region if not _says_dtype(known[node])])
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
        f"Run {counted(len(region), 'node')} in bfloat16", "No tensor of these nodes is a floating one."
    )


def _without_writers(known: Mapping[NodeId, Node], region: list[NodeId]) -> list[NodeId]:
    """The region without calls that write to what comes from outside, and without those that read it: a copy would be written to, or be
    read as it was before.
    """
    while True:
        inside = set(region)
        roots = {
            root
            for node in region
            if is_known(known[node]) and not _is_norm(known[node])
            for written in written_inputs(known[node])
            if (root := _from_outside(known, written, inside)) is not None
        }
        kept = [node for node in region if roots.isdisjoint(known[node].inputs())]
        if len(kept) == len(region):
            return region
        region = kept


def _from_outside(known: Mapping[NodeId, Node], written: NodeId, inside: set[NodeId]) -> NodeId | None:
    """The wide tensor from outside that this one is, or may be a view of, if there is one."""
    at: NodeId | None = written
    while at in inside and gives_its_input(known[at]) and known[at].args.items:
        at = node_in(known[at].args.items[0])
    return at if at is not None and at not in inside and _is_wide(known[at]) else None


def _is_norm(node: Node) -> bool:
    return node.target in ("torch.nn.functional.batch_norm", "torch.nn.functional.instance_norm")


def _stays_wide(known: Mapping[NodeId, Node], user: NodeId, path: ArgumentPath) -> bool:
    """Whether a use is one of a norm's statistics or parameters: it keeps its statistics in them, in whatever its input is computed."""
    return _is_norm(known[user]) and path not in (("args", "0"), ("kwargs", "input"))


def _says_dtype(node: Node) -> bool:
    """Whether a call names the dtype of its result, or makes a tensor out of none: then its result is cast instead."""
    return not node.inputs() or any(_dtype_in(part) for part in (node.args, node.kwargs))


def _dtype_in(argument: Argument) -> bool:
    if isinstance(argument, ConstantArgument):
        return argument.kind == "dtype"
    return any(_dtype_in(child) for _, child in children(argument))


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
