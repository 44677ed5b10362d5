"""What results are judged against: eager in float64, and the edited graph run op by op, in its own dtype and in float64.

A reference of an edited graph stands in for that graph inside the user's running program, so that breaks and resume
functions are the same. At the graph's edges float64 values are rounded to the dtypes the program expects.
"""

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.eager_reference import Reference, graph_reference, reference_of, watched
from compiler.engine.fx.inductor_rng import COUNTS, counts_in
from compiler.engine.fx.interpreter import run_seen, run_with_effects
from compiler.engine.graph_editing.shape_propagation import propagate_values
from compiler.engine.laid_out import laid_out
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.rng.draw_order import NotedDraw, NotingDraws, alike, in_the_order_of, is_another_order
from compiler.engine.rng.random_tape import Within
from compiler.engine.stage_ids import dynamo_graph_id, graph_stage, inductor_graph_id, split
from compiler.engine.torch_internals.dispatcher.dispatch_modes import unwatched
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, LiveInductorGraph, fake_mode_of
from compiler.engine.torch_internals.patch.wrapped_tensors import levels_left
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.within_backward import closing_backward, within_backward
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.edits.stage_order import ORDER, holder_of, is_before_autograd
from compiler.model.ir.ids import StageId

_DRAWS_OTHERS = "the edited graph draws random numbers, and op by op it draws others"
_WHICH_IS_WHICH = "compiled code draws random numbers in another order than the edited graph, and of calls alike it is not known which is which"


@contextlib.contextmanager
def _all_graphs_in_float64(program: EditedProgram, within: Within) -> Iterator[None]:
    """While this is entered, every Dynamo graph, as captured, is run op by op in float64: the reference for a program
    that casts its own values and so cannot be widened as a whole.
    """
    with contextlib.ExitStack() as stack:
        for dynamo_graph in program.base.live.dynamo_graphs:
            module, _ = program.edited_module(dynamo_graph_id(dynamo_graph.record.compile_id, "dynamo"), ())
            stack.callback(setattr, dynamo_graph, "function", dynamo_graph.function)
            dynamo_graph.function = interpreted_graph(module, dynamo_graph, True, within)
        with torch.compiler.set_stance("eager_on_recompile"), closing_backward():
            yield


def graphs_reference(program: EditedProgram) -> Reference | None:
    """Eager beside all graphs in float64; None where an operator does not exist in float64."""
    stepper = program.base.stepper

    def wide(within: Within) -> Results:
        with _all_graphs_in_float64(program, within):
            return stepper.compared_step(program.base.compiled)

    try:
        return reference_of(watched(stepper, program.base.program.callable), wide)
    except Exception:  # noqa: BLE001  an operator may not exist in float64
        return None


def drawing_step(
    program: EditedProgram, edits: tuple[Edit, ...]
) -> tuple[Results, list[list[NotedDraw]] | None]:
    """A step of the compiled program, and the calls of each run of an edited graph that drew random numbers; None where its random
    numbers are not in question.
    """
    step = functools.partial(program.base.stepper.compared_step, program.base.compiled)
    if not program.edits_reach_random_numbers(edits):
        return step(), None
    with noting_draws(program, edits) as noted:
        return step(), noted


def reference_drawing_alike(
    program: EditedProgram, edits: tuple[Edit, ...], noted: list[list[NotedDraw]] | None, doubt: str = ""
) -> Reference:
    """That of the edited graphs, with the random numbers of the compiled step (`noted`); without exact results where it draws others.
    `doubt`: see `graph_reference`.
    """
    reference = edited_graphs_reference(program, edits, doubt=doubt)
    if noted is None:
        return reference
    wanted = tuple(row.draw for calls in noted for row in calls)
    if is_another_order(reference.draws, wanted):
        reference = edited_graphs_reference(program, edits, noted, _WHICH_IS_WHICH if alike(noted) else doubt)
        if not is_another_order(reference.draws, wanted):
            return Reference(reference.eager, None, _DRAWS_OTHERS)
    elif reference.draws != wanted:
        return Reference(reference.eager, None, _DRAWS_OTHERS)
    return reference


def edited_graphs_reference(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    noted: Sequence[Sequence[NotedDraw]] = (),
    doubt: str = "",
) -> Reference:
    """The program with each edited graph run op by op, in its own dtypes and in float64; the latter need not be possible. `noted`: in what
    order each run of a graph draws, where that is not its own. `doubt`: see `graph_reference`.
    """
    stepper, compiled = program.base.stepper, program.base.compiled

    def run(within: Within, wide: bool) -> Results:
        orders = iter(noted)

        @contextlib.contextmanager
        def ordered() -> Iterator[None]:
            with within(), in_the_order_of(next(orders, ())):
                yield

        with _edited_graphs_interpreted(program, edits, wide, ordered if noted else within):
            return stepper.compared_step(compiled)

    return graph_reference(functools.partial(run, wide=False), functools.partial(run, wide=True), doubt)


@contextlib.contextmanager
def _edited_graphs_interpreted(
    program: EditedProgram, edits: tuple[Edit, ...], wide: bool, within: Within
) -> Iterator[None]:
    """While this is entered, each edited graph is run op by op by torch.fx, `within` entered; everything else runs as compiled.

    Of graphs that are edited at several stages the latest is run, which comes from the others. An edited joint graph is
    run as the halves that the partitioner cut it into.
    """
    with contextlib.ExitStack() as stack:
        for own in _edited_stages(edits):
            if all(map(is_before_autograd, own)):
                dynamo_graph = program.dynamo_graph(own[0])
                latest = max(own, key=lambda stage: ORDER.index(split(stage)[2]))
                module, _ = program.edited_module(latest, edits)
                stack.callback(setattr, dynamo_graph, "function", dynamo_graph.function)
                dynamo_graph.function = interpreted_graph(module, dynamo_graph, wide, within)
        for inductor_graph, stage in _edited_inductor_graphs(program, edits):
            module, _ = program.edited_module(stage, edits)
            module.meta[COUNTS] = _counts_of(getattr(inductor_graph.module, "__file__", None))
            run = interpreted_unit(module, inductor_graph, wide, within)
            stack.callback(inductor_graph.swap, inductor_graph.swap(run))
        with torch.compiler.set_stance("eager_on_recompile"), closing_backward():
            yield


def _edited_stages(edits: tuple[Edit, ...]) -> Iterable[list[StageId]]:
    """Of each Dynamo graph those that are edited."""
    stages = dict.fromkeys(holder_of(graph_stage(stage)) for edit in edits for stage in stages_of(edit))
    by_graph: dict[str, list[StageId]] = {}
    for stage in stages:
        by_graph.setdefault(split(stage)[0], []).append(stage)
    return by_graph.values()


def _edited_inductor_graphs(
    program: EditedProgram, edits: tuple[Edit, ...]
) -> Iterator[tuple[LiveInductorGraph, StageId]]:
    """Those that are run op by op, each with the stage whose graph that is."""
    for own in _edited_stages(edits):
        if all(map(is_before_autograd, own)):
            continue
        name = split(own[0])[0]
        for inductor_graph in program.dynamo_graph(own[0]).inductor_graphs:
            mine = [stage for stage in own if split(stage)[1] in ("", inductor_graph.part)]
            if mine:
                late = any(split(stage)[2] == "post_grad" for stage in mine)
                yield (
                    inductor_graph,
                    inductor_graph_id(name, inductor_graph.part, "post_grad" if late else "aot"),
                )


@functools.lru_cache(maxsize=64)
def _counts_of(path: str | None) -> str:
    """How the kernels of a generated file count, whose name is made of what it holds; empty where it is no text."""
    with contextlib.suppress(OSError, ValueError):
        return counts_in(Path(path).read_text(encoding="utf-8")) if path else ""
    return ""


@contextlib.contextmanager
def noting_draws(program: EditedProgram, edits: tuple[Edit, ...]) -> Iterator[list[list[NotedDraw]]]:
    """The calls that draw random numbers in the compiled code of the edited graphs meanwhile, a list for each run of one."""
    noted: list[list[NotedDraw]] = []
    with contextlib.ExitStack() as stack:
        for inductor_graph, _ in _edited_inductor_graphs(program, edits):
            own = inductor_graph.output.current_callable
            stack.callback(inductor_graph.swap, inductor_graph.swap(functools.partial(_noted, own, noted)))
        yield noted


def _noted(own: Callable[..., Any], noted: list[list[NotedDraw]], *args: Any, **keywords: Any) -> Any:
    noted.append([])
    with NotingDraws(noted[-1]):
        return own(*args, **keywords)


def node_results(module: torch.fx.GraphModule, inputs: list[Any], wide: bool) -> dict[str, torch.Tensor]:
    """What each node of an Inductor graph gives when it is run op by op; nodes that give no tensor are left out."""
    found: dict[str, torch.Tensor] = {}
    with levels_left():
        run_seen(module, inputs, wide, lambda node, value: found.update({node.name: value}))
    return found


def interpreted_graph(
    module: torch.fx.GraphModule, dynamo_graph: LiveDynamoGraph, wide: bool, within: Within
) -> Callable[..., Any]:
    """What stands in for a Dynamo graph: its graph, or what it is after the pre-grad passes, run op by op."""
    types = _output_types(module, dynamo_graph.placeholders, dynamo_graph.gradients)
    dtypes = [value.dtype if isinstance(value, torch.Tensor) else None for value in types]

    def run(*args: Any) -> Any:
        with levels_left():
            outputs = run_with_effects(module, args, wide, within)
        if within is not contextlib.nullcontext:
            within_backward(outputs, args, within)
        return _narrow(outputs, dtypes) if wide else outputs

    return run


def interpreted_unit(
    module: torch.fx.GraphModule, inductor_graph: LiveInductorGraph, wide: bool, within: Within
) -> Callable[..., Any]:
    """The same for a forward, a backward or an inference graph, with the layouts that what is around it was built for."""
    expected = _output_types(module, inductor_graph.inputs, gradients=False)
    strides = (
        inductor_graph.strides if len(inductor_graph.strides) == len(expected) else (None,) * len(expected)
    )

    def run(args: list[Any]) -> Any:
        given = list(args)
        args.clear()
        with levels_left(), torch.no_grad():
            outputs = run_with_effects(module, given, wide, within)
        return [_laid_out(*item) for item in zip(outputs, expected, strides, strict=True)]

    return run


def _outputs(module: torch.fx.GraphModule) -> list[Any]:
    node = next(iter(reversed(module.graph.nodes)))
    return list(pytree.tree_leaves(node.args[0]))


def _output_types(module: torch.fx.GraphModule, inputs: list[Any], gradients: bool) -> list[Any]:
    """What the graph returns, as fake values: nodes that an edit made have no other record of their type."""
    with unwatched():  # it runs with fake values, which draw nothing
        values = propagate_values(module, list(inputs), fake_mode_of(list(inputs)), gradients)
    return [values.get(node.name) if isinstance(node, torch.fx.Node) else None for node in _outputs(module)]


def _narrow(outputs: Any, dtypes: list[torch.dtype | None]) -> Any:
    leaves, spec = pytree.tree_flatten(outputs)
    narrowed = [
        value.to(dtype) if isinstance(value, torch.Tensor) and dtype is not None else _default(value)
        for value, dtype in zip(leaves, dtypes, strict=True)
    ]
    return pytree.tree_unflatten(narrowed, spec)


def _default(value: Any) -> Any:
    """An output of which no type is known (a node that was inserted): back to the default dtype."""
    if not isinstance(value, torch.Tensor) or value.dtype not in (torch.float64, torch.complex128):
        return value
    default = torch.get_default_dtype()
    return value.to(default.to_complex() if value.is_complex() else default)


def _laid_out(value: Any, like: Any, compiled_strides: tuple[int, ...] | None) -> Any:
    """The value with the dtype and strides that compiled code after it was built for."""
    if not isinstance(value, torch.Tensor) or not isinstance(like, torch.Tensor):
        return value
    strides = list(compiled_strides or _strides(like, value.shape))
    if value.dtype == like.dtype and list(value.stride()) == strides:
        return value
    return laid_out(value, strides, like.dtype)


def _strides(like: torch.Tensor, shape: Sequence[int]) -> Iterator[int]:
    """Those of a tensor with symbols at the sizes of the example; at others its dimensions lie in the same order."""
    steps, sizes = [int(step) for step in like.stride()], [int(size) for size in like.shape]
    if sizes != list(shape):
        step = 1
        for dim in sorted(range(len(steps)), key=lambda dim: (steps[dim], sizes[dim])):
            if steps[dim]:
                steps[dim], step = step, step * shape[dim]
    yield from steps
