"""Parts of a Dynamo graph as programs of their own, with the values they had: what is tried while a failing program is made
smaller.
"""

import contextlib
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import torch
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.eager_reference import graph_reference
from compiler.engine.causes.graph_levels import GraphPart, install
from compiler.engine.causes.right_results import Judged
from compiler.engine.fx.allowed_targets import is_higher_order
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import Recorder
from compiler.engine.rng.random_tape import Within
from compiler.engine.rng.rng_state import seeded
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.engine.torch_internals.inductor_kernels import lighter_linking, whole_builds
from compiler.engine.torch_internals.patch import settings
from compiler.engine.user_program.stepper import Results, tangent
from compiler.engine.wide_values import wide_value
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import NodeId

_SEED = 0
_OF_A_TRANSFORM = object()
_PLAIN = (bool, int, float, complex, str, type(None), torch.dtype, torch.device)


class Subprogram(NamedTuple):
    """Some nodes of a graph, by themselves."""

    module: torch.fx.GraphModule
    """Takes tensors, and gives a tuple of them."""
    inputs: list[torch.Tensor]
    """Leaves; those that the program takes gradients of ask for them."""

    @property
    def calls(self) -> int:
        """How many operations it has."""
        return sum(node.op.startswith("call") for node in self.module.graph.nodes)


def recorded_values(
    program: EditedProgram, part: GraphPart, edits: tuple[Edit, ...]
) -> tuple[torch.fx.GraphModule, dict[NodeId, Any]]:
    """Dynamo's graph, and what each of its nodes gave in one step; no values where the step did not come to it."""
    module, _ = program.edited_module(dynamo_graph_id(part.compile_id, "dynamo"), edits)
    values: dict[NodeId, Any] = {}

    with contextlib.ExitStack() as stack:
        install(stack, part.graph, noting_values(module, values))
        with torch.compiler.set_stance("eager_on_recompile"):
            program.base.stepper.compared_step(program.base.compiled)
    return module, values


def noting_values(module: torch.fx.GraphModule, values: dict[NodeId, Any]) -> Callable[..., Any]:
    """Runs a graph, and notes in its first run what each of its nodes gives."""

    def run(*args: Any) -> Any:
        interpreter = interpreter_of(module, wide=False)
        run_node = interpreter.run_node
        first = not values

        def seen(node: torch.fx.Node) -> Any:
            value = run_node(node)
            if first:
                values[node.name] = pytree.tree_map(kept, value)
            return value

        interpreter.__dict__["run_node"] = seen
        return interpreter.run(*args)

    return run


def kept(value: Any) -> Any:
    """A value as it is now, or something that no program takes: a tensor that belongs to a transform that is going on."""
    if not isinstance(value, torch.Tensor):
        return value
    try:
        return value.detach().clone().requires_grad_(value.requires_grad)
    except RuntimeError:
        return _OF_A_TRANSFORM


def is_body(node: torch.fx.Node) -> bool:
    """Whether a node names a graph that a higher-order operator calls."""
    if node.op != "get_attr":
        return False
    module = node.graph.owning_module
    return module is not None and isinstance(getattr(module, str(node.target), None), torch.fx.GraphModule)


def _writes(node: torch.fx.Node) -> bool:
    """Whether a call writes to what it is given."""
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return name == "setitem" or (name.endswith("_") and not name.endswith("__"))


def _is_result(node: torch.fx.Node, values: dict[NodeId, Any]) -> bool:
    """Whether a program may return it: a tensor, or the tensors of a higher-order operator."""
    leaves = pytree.tree_leaves(values.get(node.name))
    several = is_higher_order(node.target) and bool(leaves)
    return all(isinstance(value, torch.Tensor) for value in leaves) and (len(leaves) == 1 or several)


def subprogram(
    source: torch.fx.GraphModule, chosen_names: Collection[NodeId], values: dict[NodeId, Any]
) -> Subprogram | None:
    """The program of some nodes; what they read from others becomes an input, or a number. None where they are no program by
    themselves: something between them is neither, or nothing comes of them.
    """
    graph = torch.fx.Graph()
    made: dict[torch.fx.Node, Any] = {}
    inputs: list[torch.Tensor] = []
    chosen = [
        node
        for node in source.graph.nodes
        if node.name in chosen_names and node.op in ("call_function", "call_method")
    ]
    outside: list[torch.fx.Node] = []
    for node in chosen:
        outside += [other for other in node.all_input_nodes if other not in chosen and other not in outside]
    for node in sorted(outside, key=list(source.graph.nodes).index):
        if is_body(node):
            continue
        value = values.get(node.name)
        if isinstance(value, torch.Tensor):
            made[node] = graph.placeholder(node.name)
            inputs.append(value.detach().clone().requires_grad_(value.requires_grad))
        elif isinstance(value, _PLAIN):
            made[node] = value
        else:
            return None
    for node in filter(is_body, outside):
        made[node] = graph.get_attr(str(node.target))
    for node in chosen:
        made[node] = graph.create_node(
            node.op,
            node.target,
            torch.fx.map_arg(node.args, made.__getitem__),
            torch.fx.map_arg(node.kwargs, made.__getitem__),
            name=node.name,
        )
    ends = [
        node for node in chosen if not any(user in chosen for user in node.users) and _is_result(node, values)
    ]
    if not inputs or not (ends or any(map(_writes, chosen))):
        return None
    graph.output(tuple(made[node] for node in ends))
    return Subprogram(torch.fx.GraphModule(source, graph), inputs)


class Failing:
    """Whether a subprogram is wrong as compiled."""

    def __init__(
        self,
        mode: str | None,
        options: dict[str, Any] | None,
        written: Callable[[Subprogram], Callable[..., Any]],
    ) -> None:
        """As torch.compile is called in the user's program. `written`: the plain function that a program is written as, which
        is what is compiled where a graph calls graphs: Dynamo's own spelling of these cannot be traced again.
        """
        self._mode, self._options, self._written = mode, options, written

    def judged(self, tried: Subprogram) -> Judged:
        """Compile and run it, judged by float64; raises what compiling or running raises."""
        reference = graph_reference(
            lambda within: _interpreted(tried, False, within),
            lambda within: _interpreted(tried, True, within),
        )
        calls_graphs = any(is_higher_order(node.target) for node in tried.module.graph.nodes)
        with settings.capturing(), whole_builds.listen(Recorder()), lighter_linking.listen(Recorder()):
            compiled = torch.compile(
                self._written(tried) if calls_graphs else tried.module,
                mode=self._mode,
                options=self._options,
                dynamic=False,
                fullgraph=True,
            )
            results = _run(compiled, tried.inputs, contextlib.nullcontext)
        if reference.exact is None:
            return Judged(False, None)
        row = reference.judge("", results, "")
        worst = row.worst
        return Judged(row.agrees is False, worst.max_relative if worst is not None else None)


def _interpreted(tried: Subprogram, wide: bool, within: Within) -> Results:
    inputs = [_leaf(value, wide) for value in tried.inputs]
    return _run(lambda *args: interpreter_of(tried.module, wide).run(*args), inputs, within)


def _leaf(value: torch.Tensor, wide: bool) -> torch.Tensor:
    changed: torch.Tensor = wide_value(value.detach()) if wide else value.detach().clone()
    return changed.clone().requires_grad_(value.requires_grad)


def _run(function: Callable[..., Any], inputs: list[torch.Tensor], within: Within) -> Results:
    """Outputs, and gradients of what asks for them."""
    leaves = [_leaf(value, False) for value in inputs]
    with seeded(_SEED), within():
        outputs = [
            value for value in pytree.tree_leaves(function(*leaves)) if isinstance(value, torch.Tensor)
        ]
        found = {f"output {index}": value.detach() for index, value in enumerate(outputs)}
        found.update(
            {f"input {index}": value.detach() for index, value in enumerate(leaves)}
        )  # it may write to them
        ends = [(index, value) for index, value in enumerate(outputs) if value.requires_grad]
        wanted = [leaf for leaf in leaves if leaf.requires_grad]
        if ends and wanted:
            grads = torch.autograd.grad(
                [value for _, value in ends],
                wanted,
                [tangent(index, value) for index, value in ends],
                allow_unused=True,
            )
            found.update({f"grad {number}": grad for number, grad in _there(grads)})
    return Results(found)


def _there(grads: tuple[torch.Tensor | None, ...]) -> list[tuple[int, torch.Tensor]]:
    return [(number, grad) for number, grad in enumerate(grads) if grad is not None]
