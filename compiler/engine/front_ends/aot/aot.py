"""AOTAutograd by itself: the joint graph, and what the default and the min-cut partition keep and compute again."""

from collections.abc import Callable
from typing import Any

import torch
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.front_ends.interface.editable_graphs import EditableGraph, GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import (
    graph_stage,
    operations_in,
    read_front_end_graph,
    text_stage,
)
from compiler.engine.fx.graph_import import tensor_bytes
from compiler.engine.records.partitioner_state import decisions, kept_bytes, storage_of
from compiler.engine.torch_internals.aot_autograd.backend_graphs import in_lanes, joint_role, tangents_of
from compiler.engine.torch_internals.aot_autograd.standalone_aot import Cut, TracedAot, trace_aot
from compiler.engine.torch_internals.live.live_graphs import fake_mode_of
from compiler.engine.user_program.held_state.functional_call import FunctionalCall
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.front_end_comparison.aot_report import CutFacts, SavedRow, report_text
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import JointStage, Partition, SavedTensor, Stage, StageKind

NAME = "aot"
_TITLES = {"default": "default partition", "min_cut": "min-cut partition"}


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Trace once, cut twice. Raises what AOTAutograd raises."""
    leaves, of_arguments = pytree.tree_flatten((program.args, program.kwargs))
    pure = FunctionalCall(program.callable)
    state = pure.parameters | pure.buffers

    def flat(*tensors: torch.Tensor) -> Any:
        given = iter(tensors[len(state) :])
        values = [next(given) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(values, of_arguments)
        return pure(dict(zip(state, tensors, strict=False)), args, kwargs)

    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]

    def hold(what: str, module: torch.fx.GraphModule) -> None:
        inputs = [node.meta.get("val") for node in module.graph.nodes if node.op == "placeholder"]
        plain = read_front_end_graph(module.graph, joint_role)
        graphs.hold(EditableGraph(f"{NAME}:{what}", module, plain, inputs, fake_mode_of(inputs)))

    traced = trace_aot(flat, [*state.values(), *tensors], spec.run.gradients, hold)

    def call(*args: Any, **kwargs: Any) -> Any:
        """The traced program; what is no tensor is as it was traced."""
        traced.wide = False
        return run(*args, **kwargs)

    def run(*args: Any, **kwargs: Any) -> Any:
        given, _ = pytree.tree_flatten((args, kwargs))
        return traced.call(*state.values(), *(leaf for leaf in given if isinstance(leaf, torch.Tensor)))

    def interpreted(wide: bool) -> Callable[..., Any]:
        def run_so(*args: Any, **kwargs: Any) -> Any:
            traced.wide = wide  # until the next call, since the backward comes later
            return run(*args, **kwargs)

        return run_so

    if traced.joint is None:
        assert traced.inference is not None
        stage = graph_stage(
            NAME, "inference", "Inference graph", traced.inference.graph, "aot_function", traced.seconds,
            roles=joint_role,
        )  # fmt: skip
        result = FrontEndResult((stage,), call, 1, operations_in(stage), traced.seconds)
    else:
        result = _with_partitions(traced, call)
    result.interpreted = interpreted
    return result


def _with_partitions(traced: TracedAot, call: Any) -> FrontEndResult:
    facts = tuple(map(_facts, traced.cuts))
    joint = _joint_stage(traced, facts[1].kept_bytes)
    halves = [half for cut in traced.cuts for half in _halves(cut, joint.id)]
    report = text_stage(
        NAME,
        "partitions",
        "Partitions compared",
        report_text(facts, traced.curve),
        "text",
        "torch._functorch.partitioners",
        tuple(stage.id for stage in halves),
    )
    links = tuple(_same_names(joint, half) for half in halves)
    operations = operations_in(joint)
    return FrontEndResult((joint, *halves, report), call, 1, operations, traced.seconds, links)


def _joint_stage(traced: TracedAot, saved_bytes: int | None) -> Stage:
    assert traced.joint is not None
    least = traced.cuts[1]
    forward = {node.name for node in least.forward.graph.nodes if node.op != "output"}
    backward = {node.name for node in least.backward.graph.nodes if node.op == "call_function"}
    graph = read_front_end_graph(traced.joint.graph, joint_role)
    graph = in_lanes(graph, forward, {*backward, *tangents_of(graph)})
    handed = {node.name for node in least.backward.graph.nodes if node.op == "placeholder"}
    kept = [node for node in traced.chosen if node.name in handed]
    cut_graph = traced.chosen[0].graph if traced.chosen else traced.joint.graph
    partition = Partition(
        tuple(SavedTensor(node.name, _bytes(node)) for node in kept),
        tuple(name for name in _calls(least.forward) if name in backward),
        traced.cut_value,
        decisions(
            cut_graph,
            traced.weighed,
            {node.name for node in kept},
            forward,
            {node.name for node in least.backward.graph.nodes} - handed,
        ),
        saved_bytes,
        traced.curve,
    )
    return Stage(
        f"{NAME}:joint",
        StageKind.JOINT_GRAPH,
        "Joint graph",
        JointStage(graph, partition),
        NAME,
        made_by="torch._functorch.aot_autograd.aot_function, Inductor's decompositions",
        seconds=traced.seconds,
    )


def _halves(cut: Cut, joint: StageId) -> tuple[Stage, Stage]:
    made: list[Stage] = []
    for part, module in (("forward", cut.forward), ("backward", cut.backward)):
        made.append(
            graph_stage(
                NAME,
                f"{cut.name}:{part}",
                f"{part.capitalize()}, {_TITLES[cut.name]}",
                module.graph,
                f"torch._functorch.partitioners, {_TITLES[cut.name]}",
                cut.seconds if part == "forward" else None,
                (joint,),
                joint_role,
            )
        )
    return made[0], made[1]


def _same_names(joint: Stage, half: Stage) -> LinkTable:
    """The partitioners keep the names of the joint graph."""
    assert joint.graph is not None
    assert half.graph is not None
    known = joint.graph.by_id()
    pairs = tuple((node.id, node.id) for node in half.graph.nodes if node.id in known and node.op != "output")
    return LinkTable(joint.id, half.id, "partitioned", "torch", pairs)


def _facts(cut: Cut) -> CutFacts:
    inputs = [node for node in cut.forward.graph.nodes if node.op == "placeholder"]
    alive = {storage_of(node) for node in (*inputs, *cut.returned)} - {None}
    rows = []
    seen: dict[Any, str] = {}
    for node in cut.saved:
        storage = storage_of(node)
        free = node.op == "placeholder" or storage in alive
        base = node.name if storage is None else seen.setdefault(storage, node.name)
        rows.append(SavedRow(node.name, _shape(node), _bytes(node), free, "" if base == node.name else base))
    backward = set(_calls(cut.backward))
    return CutFacts(
        _TITLES[cut.name],
        tuple(rows),
        kept_bytes(node for node in cut.saved if storage_of(node) not in alive),
        tuple(name for name in _calls(cut.forward) if name in backward),
        len(_calls(cut.forward)),
        len(backward),
    )


def _calls(module: torch.fx.GraphModule) -> list[str]:
    return [node.name for node in module.graph.nodes if node.op == "call_function"]


def _bytes(node: torch.fx.Node) -> int | None:
    value = node.meta.get("val")
    return tensor_bytes(value) if isinstance(value, torch.Tensor) else 0


def _shape(node: torch.fx.Node) -> str:
    value = node.meta.get("val")
    return f"{str(value.dtype)[6:]}{list(value.shape)}" if isinstance(value, torch.Tensor) else str(value)
