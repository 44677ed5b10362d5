"""Eager: nothing is captured. What ran is shown as a graph: each aten operation with its time, its bytes and its line."""

import dataclasses
import statistics
import time
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import line_links, text_stage
from compiler.engine.fx.graph_import import read_argument, read_value, target_name
from compiler.engine.timing.op_bytes import bytes_moved
from compiler.engine.torch_internals.dispatcher.dispatched_operations import Dispatched, dispatched
from compiler.engine.user_program.held_state.held_by_functions import tensors_of
from compiler.engine.user_program.loading import Program, leaf_names
from compiler.engine.user_program.stepper import Stepper, unchanged_state
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.arguments import Argument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import FxStage, Stage, StageKind

NAME = "eager"
_RUNS = 5
_HEAD = 3
"""Lines of the table before the first operation."""
_NOTHING = SequenceArgument("tuple", ())


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Run a few steps, forward and backward, and note what was dispatched. Raises what the program raises."""
    stepper = Stepper(program, spec.run)
    started = time.perf_counter()
    runs = []
    with unchanged_state(program), torch.random.fork_rng(devices=[]):
        for _ in range(_RUNS):
            torch.manual_seed(spec.run.seed)
            runs.append(dispatched(stepper.step, program.callable))
    seconds = (time.perf_counter() - started) / _RUNS
    operations = runs[-1]
    alike = [run for run in runs[1:] if [op.function for op in run] == [op.function for op in operations]]
    medians = [statistics.median(run[index].nanoseconds for run in alike) for index in range(len(operations))]
    reading = _Reading(program, operations, medians)
    graph = Graph(tuple(reading.nodes()))
    made_by = "torch.utils._python_dispatch.TorchDispatchMode"
    stage = Stage(
        f"{NAME}:graph",
        StageKind.FRONT_END_GRAPH,
        "Dispatched operations",
        FxStage(graph),
        NAME,
        "",
        made_by,
        (),
        seconds,
    )
    table = text_stage(
        NAME, "table", "Operations in order", reading.table(len(alike)), "plain", made_by, (stage.id,)
    )
    ran = [node.id for node in graph.nodes if node.op == "call_function"]
    links = (line_links(stage, table, ran, first=_HEAD + 1),)
    forward = sum(not operation.backward for operation in operations)
    return FrontEndResult((stage, table), program.callable, 0, forward, seconds, links)


@dataclasses.dataclass
class _Cost:
    """Of one operation."""

    microseconds: float
    read: int
    written: int


class _Reading:
    """The operations of one run as nodes, linked by the tensors they hand on."""

    def __init__(self, program: Program, operations: list[Dispatched], medians: list[float]) -> None:
        self._operations = operations
        self._medians = medians
        self._names: dict[int, str] = {}
        self._taken: dict[str, int] = {}
        self._outside: list[Node] = []
        self._known: dict[int, tuple[str, str]] = {}
        self._paths: dict[int, str] = {}
        self._in_backward = False
        leaves = pytree.tree_leaves((program.args, program.kwargs))
        for name, leaf in zip(leaf_names(program), leaves, strict=True):
            self._known[id(leaf)] = (name, "input")
        for name, tensor in tensors_of(program.callable):
            self._known[id(tensor)] = (name, "parameter")
        self._paths = {
            id(part): (prefix + name).rstrip(".")
            for prefix, module in program.modules()
            for name, part in module.named_modules()
        }

    def nodes(self) -> list[Node]:
        """Placeholders of what came from outside, then the operations."""
        ran = [
            self._node(operation, median)
            for operation, median in zip(self._operations, self._medians, strict=True)
        ]
        return [*self._outside, *ran]

    def table(self, runs: int) -> str:
        """One line an operation."""
        costs = [self._cost(*pair) for pair in zip(self._operations, self._medians, strict=True)]
        lines = [
            f"# median of {runs} runs, in the operation itself",
            "# bytes of the elements of its tensors, of views none",
            f"{'':<3}{'µs':>8} {'read':>9} {'written':>9}  operation",
        ]
        lines += [
            f"{'bw' if operation.backward else 'fw':<3}{cost.microseconds:>8.1f} {cost.read:>9} {cost.written:>9}  "
            f"{target_name(operation.function)}  {_place(operation)}".rstrip()
            for operation, cost in zip(self._operations, costs, strict=True)
        ]
        total = sum(cost.microseconds for cost in costs)
        read, written = sum(cost.read for cost in costs), sum(cost.written for cost in costs)
        lines.append(f"{'':<3}{total:>8.1f} {read:>9} {written:>9}  in all")
        return "\n".join(lines) + "\n"

    def _node(self, operation: Dispatched, median: float) -> Node:
        self._in_backward = operation.backward
        args = self._argument(operation.args)
        kwargs = MappingArgument(
            tuple((key, self._argument(value)) for key, value in operation.kwargs.items())
        )
        name = self._free(target_name(operation.function).split(".")[1])
        for value in pytree.tree_leaves(operation.result):
            if isinstance(value, torch.Tensor):
                self._names[id(value)] = name
        cost = self._cost(operation, median)
        return Node(
            name,
            "call_function",
            target_name(operation.function),
            args if isinstance(args, SequenceArgument) else _NOTHING,
            kwargs,
            read_value(operation.result),
            self._paths.get(id(operation.module), ""),
            type(operation.module).__name__ if operation.module is not None else "",
            operation.stack,
            "backward" if operation.backward else "forward",
            notes=(
                f"{cost.microseconds:.1f} µs, median",
                f"reads {cost.read} B, writes {cost.written} B",
            ),
        )

    def _argument(self, value: Any) -> Argument:
        """With the node that made a tensor in place of it."""
        if isinstance(value, torch.Tensor):
            return NodeArgument(self._maker(value))
        if isinstance(value, list | tuple):
            kind = "list" if isinstance(value, list) else "tuple"
            return SequenceArgument(kind, tuple(map(self._argument, value)))
        return read_argument(value)

    def _maker(self, tensor: torch.Tensor) -> str:
        if id(tensor) not in self._names:
            stranger = ("tangent", "tangent") if self._in_backward else ("tensor", "")
            known, role = self._known.get(id(tensor), stranger)
            name = self._free("".join(part if part.isalnum() else "_" for part in known))
            self._names[id(tensor)] = name
            self._outside.append(
                Node(name, "placeholder", known, _NOTHING, value=read_value(tensor), role=role)
            )
        return self._names[id(tensor)]

    def _free(self, name: str) -> str:
        count = self._taken.get(name, -1) + 1
        self._taken[name] = count
        return f"{name}_{count}" if count else name

    def _cost(self, operation: Dispatched, median: float) -> _Cost:
        return _Cost(median / 1e3, *bytes_moved(operation))


def _place(operation: Dispatched) -> str:
    line = operation.stack[-1] if operation.stack else None
    return f"line {line.line}" if line is not None else ""
