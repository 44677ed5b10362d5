"""Edits of one stage carried out on its live graph."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_graph, read_value
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.engine.graph_editing.fake_value_update import refresh_examples, refresh_values
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id, split
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.live.live_graphs import Editor, LiveDynamoGraph, fake_mode_of
from compiler.model.edits.edits import Edit, EditError, apply_graph_edit, describe_edit, stages_of
from compiler.model.edits.stage_order import body_of, concerns, holder_of
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId, place

_TORCH_LEVEL = ("dynamo", "pre_grad")


def applied(graph: Graph, edits: tuple[Edit, ...], stage: StageId) -> Graph:
    """The graph of `stage` after every edit that concerns it. Raises EngineError that names the edit that does not fit."""
    for edit in edits:
        if stage in stages_of(edit):
            try:
                graph, _ = apply_graph_edit(graph, edit)
            except EditError as error:
                what = f"“{describe_edit(edit)}” does not fit {stage}: {error}"
                raise EngineError(does_not_fit(what, edits, stage, edit)) from error
    return graph


def inputs_of(module: torch.fx.GraphModule, stage: StageId, dynamo_graph: LiveDynamoGraph) -> list[Any]:
    """Fake values of a graph's inputs."""
    if body_of(stage):
        inputs = [node for node in module.graph.nodes if node.op == "placeholder"]
        return [node.meta.get("example_value", node.meta.get("val")) for node in inputs]
    if split(stage)[2] in _TORCH_LEVEL:
        return list(dynamo_graph.placeholders)
    return [node.meta.get("val") for node in module.graph.nodes if node.op == "placeholder"]


def inner_of(module: torch.fx.GraphModule, stage: StageId, edits: tuple[Edit, ...]) -> torch.fx.GraphModule:
    """The live graph of a body in that of the graph which calls it. Raises EngineError."""
    inner: torch.nn.Module | None = module
    for name in body_of(stage).split("."):
        if isinstance(inner, torch.fx.GraphModule) and _is_left(inner, name):
            what = f"Nothing calls {stage}: a pass made another body of it, which is called instead."
            raise EngineError(what, "Edit that one, or this one before the passes.")
        inner = getattr(inner, name, None)
    if not isinstance(inner, torch.fx.GraphModule):
        raise EngineError(does_not_fit(f"There is no {stage}.", edits, stage))
    return inner


def _is_left(module: torch.fx.GraphModule, body: str) -> bool:
    """Whether a graph still gets a body and does nothing with it."""
    got = [node for node in module.graph.nodes if node.op == "get_attr" and node.target == body]
    return bool(got) and not any(node.users for node in got)


def sync_bodies(
    module: torch.fx.GraphModule, edits: Iterable[Edit], stage: StageId
) -> Iterator[tuple[StageId, torch.fx.GraphModule, tuple[str, ...]]]:
    """Carry out the edits of the bodies that a stage's graph calls: (body, its live graph, the nodes that are new or call
    something else now). Raises EngineError.
    """
    edits = tuple(edits)
    named = dict.fromkeys(other for edit in edits for other in stages_of(edit))
    for body in (other for other in named if other != stage and holder_of(other) == stage):
        inner = inner_of(module, body, edits)
        base = read_graph(inner.graph)
        yield body, inner, sync(inner, base, applied(base, edits, body), body)


def edit_module(
    module: torch.fx.GraphModule,
    base: Graph,
    edits: Iterable[Edit],
    stage: StageId,
    dynamo_graph: LiveDynamoGraph,
) -> None:
    """Carry out the edits of a stage on its live graph, which reads as `base`, result types included. Raises
    EngineError.
    """
    edits = tuple(edits)
    edited = applied(base, edits, stage)
    touched = sync(module, base, edited, stage)
    inputs = inputs_of(module, stage, dynamo_graph)
    mode = fake_mode_of(inputs)
    if split(stage)[2] in _TORCH_LEVEL:
        gradients = dynamo_graph.gradients
        refresh_examples(module, touched, inputs, mode, gradients)
        for body, inner, changed in sync_bodies(module, edits, stage):
            refresh_examples(inner, changed, inputs_of(inner, body, dynamo_graph), mode, gradients)
        return
    callers = list(touched)
    for body, inner, changed in sync_bodies(module, edits, stage):
        before = _results(inner)
        _refresh(inner, changed, fake_mode_of(inputs_of(inner, body, dynamo_graph)) or mode, body)
        if _results(inner) != before:
            callers += _callers(module, body_of(body))
    _refresh(module, callers, mode, stage)


def _refresh(module: torch.fx.GraphModule, touched: Collection[str], mode: Any, stage: StageId) -> None:
    fault = refresh_values(module, touched, mode)
    if fault:
        raise EngineError(
            f"{stage}: {fault}", "Undo the edit or change it.", place=place(stage, fault.partition(" ")[0])
        )


def _results(module: torch.fx.GraphModule) -> list[Any]:
    """Types of what a graph gives."""
    output = next(node for node in module.graph.nodes if node.op == "output")
    return [read_value(node.meta.get("val")) for node in output.all_input_nodes]


def _callers(module: torch.fx.GraphModule, body: str) -> list[str]:
    """The nodes of a graph that call a body of it, or one that calls it."""
    outermost = body.partition(".")[0]
    got = (node for node in module.graph.nodes if node.op == "get_attr" and node.target == outermost)
    return [user.name for node in got for user in node.users]


def editor(dynamo_graph: LiveDynamoGraph, edits: tuple[Edit, ...]) -> Editor:
    """What the hooks call at every graph of a region."""
    name = dynamo_graph.record.compile_id

    def edit(part: str, what: str, module: torch.fx.GraphModule) -> bool:
        stage = inductor_graph_id(name, part, what) if part else dynamo_graph_id(name, what)
        if not any(concerns(stages_of(one), stage) for one in edits):
            return False
        edit_module(module, read_graph(module.graph, joint_role), edits, stage, dynamo_graph)
        return True

    return edit
