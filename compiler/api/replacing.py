"""``stage.replace("relu", gelu)``: calls that become calls of something else."""

import inspect
from collections.abc import Callable

import msgspec

from compiler.model.diagrams.diagrams import short_name, short_target
from compiler.model.edits.edits import EditError, EditGroup, ReplaceTarget
from compiler.model.ir.arguments import MappingArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId


def replacement(stage: StageId, graph: Graph, what: str, by: Callable[..., object] | str) -> EditGroup:
    """One edit for each node that is meant. Raises EditError where there is none."""
    target = by if isinstance(by, str) else _spelled(by, graph)
    chosen = _chosen(graph, what)
    if not chosen:
        called = sorted({short_target(node) for node in graph.nodes if node.op.startswith("call")})
        raise EditError(f"Nothing in {stage} is, or calls, {what!r}; it calls {', '.join(called)}.")
    kind = _kind(target)
    edits = [
        ReplaceTarget(stage, node.id, kind, target, node.args, _taken(by, node.kwargs)) for node in chosen
    ]
    return EditGroup(f"{what} → {short_name(target)}", tuple(edits))


def _chosen(graph: Graph, what: str) -> list[Node]:
    """The node of that name, if there is one that calls something; else all that call something of that name.

    Both at once, as with a first relu that is called relu, means all.
    """
    calls = [node for node in graph.nodes if node.op.startswith("call")]
    by_call = [node for node in calls if what in (node.target, short_target(node))]
    return by_call or [node for node in calls if node.id == what]


def _spelled(by: Callable[..., object], graph: Graph) -> str:
    """Edits are kept in files and compiled elsewhere: they name operations of torch, or what the graph calls already."""
    from compiler.engine.fx.graph_import import target_name
    from compiler.engine.fx.resolve_target import find_target

    target = target_name(by)
    try:
        found = any(node.target == target for node in graph.nodes) or find_target(_kind(target), target)
    except KeyError as error:
        few = "Give a function of torch, or change stage.text and give it to stage.edited."
        raise EditError(f"{target} is no operation of torch, which an edit can name. {few}") from error
    assert found
    return target


def _kind(target: str) -> str:
    """Methods of tensors are named without a module."""
    return "call_function" if "." in target else "call_method"


def _taken(by: Callable[..., object] | str, given: MappingArgument) -> MappingArgument:
    """The keyword arguments that `by` takes; all of them where that is not known."""
    if not given.items:
        return given
    signatures = _signatures(by)
    if not signatures:
        return given
    parameters = [row for signature in signatures for row in signature.parameters.values()]
    if any(row.kind is row.VAR_KEYWORD for row in parameters):
        return given
    names = {row.name for row in parameters}
    return msgspec.structs.replace(given, items=tuple(row for row in given.items if row[0] in names))


def _signatures(by: Callable[..., object] | str) -> list[inspect.Signature]:
    from torch.fx.operator_schemas import get_signature_for_torch_op

    from compiler.engine.fx.resolve_target import find_target

    try:
        target = find_target("call_function", by) if isinstance(by, str) else by
    except KeyError:  # said when it is compiled
        return []
    known = get_signature_for_torch_op(target)
    if known:
        return list(known)
    try:
        return [inspect.signature(target)]
    except (TypeError, ValueError):  # of a builtin that torch has no schema of
        return []
