"""An FX graph run node by node: the time of each, and what its result looks like."""

import dataclasses
import inspect
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
import torch.fx

from compiler.engine.fx.graph_import import tensor_bytes
from compiler.engine.user_program.loading import Program

_RUNS = 5


@dataclasses.dataclass
class NodeRun:
    """One node in a run."""

    microseconds: float
    """Median of a few runs, the interpreter around it not included."""
    value: Any
    statistics: str
    """``mean 0.51, deviation 0.29, 0.001 to 0.99``; with NaN and infinities counted; empty where it is no tensor of
    numbers."""

    @property
    def bytes(self) -> int:
        """Of the result's elements."""
        return (tensor_bytes(self.value) or 0) if isinstance(self.value, torch.Tensor) else 0

    def notes(self) -> tuple[str, ...]:
        """For the node that it is of."""
        return tuple(filter(None, (f"{self.microseconds:.1f} µs, median of {_RUNS} runs", self.statistics)))


def arguments_by_name(program: Program) -> dict[str, Any]:
    """What each parameter of the program is given, defaults too, under the names that torch.fx gives placeholders."""
    function = program.module.forward if program.module is not None else program.callable
    bound = inspect.signature(function).bind(*program.args, **program.kwargs)
    bound.apply_defaults()
    return bound.arguments


def placeholder_values(program: Program) -> list[Any]:
    """The same in the order of the placeholders, ``*args`` spread out as `torch.fx.Interpreter` takes them."""
    function = program.module.forward if program.module is not None else program.callable
    starred = {
        row.name
        for row in inspect.signature(function).parameters.values()
        if row.kind is inspect.Parameter.VAR_POSITIONAL
    }
    found: list[Any] = []
    for name, value in arguments_by_name(program).items():
        found += value if name in starred else [value]
    return found


def run_nodes(module: torch.fx.GraphModule, program: Program) -> dict[str, NodeRun]:
    """Every node's time and result; results are left in the nodes' metadata, for their types. Raises what a node raises."""
    given = arguments_by_name(program)
    runs = []
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        for _ in range(_RUNS):
            timing = _Timing(module, given)
            timing.run(*given.values())
            runs.append(timing)
    found = {}
    for node in module.graph.nodes:
        value = runs[-1].values[node.name]
        spent = statistics.median(run.nanoseconds[node.name] for run in runs) / 1e3
        node.meta["val"] = value
        found[node.name] = NodeRun(spent, value, describe_values(value))
    return found


class _Timing(torch.fx.Interpreter):
    def __init__(self, module: torch.fx.GraphModule, given: dict[str, Any]) -> None:
        super().__init__(module)
        self._given = given
        self.nanoseconds: dict[str, int] = {}
        self.values: dict[str, Any] = {}

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        """By name, since ``**kwargs`` is one placeholder of a dict."""
        return self._given[str(target).lstrip("*")]

    def run_node(self, n: torch.fx.Node) -> Any:
        started = time.perf_counter_ns()
        result = super().run_node(n)
        self.nanoseconds[n.name] = time.perf_counter_ns() - started
        self.values[n.name] = result
        return result


def describe_values(value: Any) -> str:
    """A tensor's numbers in one line; empty for anything else."""
    if not isinstance(value, torch.Tensor) or value.numel() == 0 or value.is_complex() or value.is_quantized:
        return ""
    wide = value.detach().double()
    finite = wide[wide.isfinite()]
    odd = [
        f"{int(mask.sum())} {name}"
        for name, mask in (("NaN", wide.isnan()), ("infinite", wide.isinf()))
        if bool(mask.any())
    ]
    if finite.numel():
        deviation = float(finite.std(correction=0))
        odd.insert(
            0,
            f"mean {float(finite.mean()):.4g}, deviation {deviation:.4g}, "
            f"{float(finite.min()):.4g} to {float(finite.max()):.4g}",
        )
    return ", ".join(odd)


def node_table(module: torch.fx.GraphModule, runs: dict[str, NodeRun]) -> str:
    """One line a node: opcode, time, shape and numbers."""
    lines = [f"{'µs':>9} {'bytes':>9}  node (opcode): shape and values"]
    for node in module.graph.nodes:
        run = runs[node.name]
        shape = list(run.value.shape) if isinstance(run.value, torch.Tensor) else type(run.value).__name__
        lines.append(
            f"{run.microseconds:>9.1f} {run.bytes:>9}  {node.name} ({node.op}): {shape}  {run.statistics}".rstrip()
        )
    return "\n".join(lines) + "\n"


def quiet(function: Callable[..., Any], program: Program, seed: int) -> Any:
    """The program's results, without gradients, from a fixed seed."""
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return function(*program.args, **program.kwargs)
