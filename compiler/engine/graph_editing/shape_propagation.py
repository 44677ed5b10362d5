"""Result types of an edited graph, and what is wrong with it, without compiling or touching a real tensor."""

import contextlib
from collections.abc import Iterator
from typing import Any

import msgspec
import torch
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.fx.graph_import import read_value
from compiler.engine.torch_internals.patch.wrapped_tensors import as_fake, levels_left
from compiler.engine.torch_internals.patch.wrapped_tensors import fake_mode as own_fake_mode
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId, place
from compiler.model.ir.tensor_types import Value, describe


class _Propagation(torch.fx.Interpreter):
    """Runs the graph on fake tensors; remembers each result and the first node that fails."""

    def __init__(self, module: torch.fx.GraphModule, fake_mode: Any) -> None:
        super().__init__(module, garbage_collect_values=False)
        self._fake_mode = fake_mode
        self.values: dict[str, Any] = {}
        self.failed: torch.fx.Node | None = None

    def run_node(self, n: torch.fx.Node) -> Any:
        try:
            result = super().run_node(n)
        except Exception:
            self.failed = self.failed or n
            raise
        self.values[n.name] = result
        return result

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        """What a graph holds (an optimizer's averages) is the program's own: torch lets a fake mode write to real tensors."""
        value = super().get_attr(target, args, kwargs)
        return value if self._fake_mode is None else as_fake(value, self._fake_mode)


@contextlib.contextmanager
def asking(fake_mode: Any) -> Iterator[None]:
    """Where operations are run to see what they give. What only data tell (``item()``) is a new symbol each time, and torch,
    when it compiles next, would demand that some result has it.
    """
    if fake_mode is None:
        with levels_left():
            yield
        return
    sizes = fake_mode.shape_env
    with (
        levels_left(),
        fake_mode,
        sizes.ignore_fresh_unbacked_symbols() if sizes is not None else contextlib.nullcontext(),
    ):
        yield


def propagate(
    module: torch.fx.GraphModule, inputs: list[Any], fake_mode: Any, gradients: bool
) -> tuple[dict[str, Value | None], tuple[str, str] | None]:
    """(result type of every node that could be run, (failing node, reason) or None). With `gradients` where the program asked for
    them around the graph: what is in it (a ``jvp`` of a ``grad``) may need them.
    """
    values, failure = propagate_with_values(module, inputs, fake_mode, gradients)
    return {name: read_value(value) for name, value in values.items()}, failure


def propagate_with_values(
    module: torch.fx.GraphModule, inputs: list[Any], fake_mode: Any, gradients: bool
) -> tuple[dict[str, Any], tuple[str, str] | None]:
    """As `propagate`, with the results themselves."""
    if fake_mode is None and not any(isinstance(value, torch.Tensor) for value in pytree.tree_leaves(inputs)):
        fake_mode = own_fake_mode()  # a graph that has no tensors but those it holds, or makes
    interpreter = _Propagation(module, fake_mode)
    failure: tuple[str, str] | None = None
    with torch.set_grad_enabled(gradients):
        try:
            with asking(fake_mode):
                interpreter.run(*inputs)
        except Exception as error:  # noqa: BLE001  any operator may raise anything; it is the answer, not an accident
            name = interpreter.failed.name if interpreter.failed is not None else ""
            reason = str(error).split("\n\nWhile executing")[0].strip().split("\n")[0]
            failure = (name, f"{type(error).__name__}: {reason}")
    return interpreter.values, failure


def propagate_values(
    module: torch.fx.GraphModule, inputs: list[Any], fake_mode: Any, gradients: bool
) -> dict[str, Any]:
    """The fake result of every node that can be run: of a graph that breaks half way, its first half."""
    return propagate_with_values(module, inputs, fake_mode, gradients)[0]


def with_types(graph: Graph, types: dict[str, Value | None]) -> Graph:
    """The graph with fresh result types, where there are any."""
    return Graph(
        tuple(
            msgspec.structs.replace(node, value=types[node.id])
            if node.id in types and node.op != "output"
            else node
            for node in graph.nodes
        )
    )


def problems_of(
    stage: StageId, base: Graph, edited: Graph, failure: tuple[str, str] | None
) -> tuple[Problem, ...]:
    """The failing node, and outputs whose type the rest of the program does not expect."""
    if failure is not None:
        name, reason = failure
        node = edited.by_id().get(name)
        location = place(stage, name) if node is not None else None
        stack = node.stack[-1] if node is not None and node.stack else None
        return (
            Problem(
                f"{name or 'The graph'} does not work after this edit: {reason}",
                "Undo the edit, or change the node's arguments.",
                path=stack.path if stack else "",
                line=stack.line if stack else None,
                place=location,
            ),
        )
    return _changed_outputs(stage, base, edited)


def _changed_outputs(stage: StageId, base: Graph, edited: Graph) -> tuple[Problem, ...]:
    before, after = base.by_id(), edited.by_id()
    first = [node for node in base.nodes if node.op == "output"]
    second = [node for node in edited.nodes if node.op == "output"]
    if not first or not second:
        return ()
    found = []
    for (old, _), (new, _) in zip(first[0].uses(), second[0].uses(), strict=False):
        was, now = describe(before[old].value), describe(after[new].value)
        if was and now and was != now:
            found.append(
                Problem(
                    f"The output {new} is now {now}; the code after this graph was compiled for {was}.",
                    "Restore the output's type, or edit what follows too.",
                    place=place(stage, new),
                )
            )
    return tuple(found)
