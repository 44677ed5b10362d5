"""AOTAutograd without Dynamo: a joint graph traced once, cut by the default and by the min-cut partitioner.

GIVES: both partitions of one joint graph, what min-cut weighed, and the memory-budget curve.
NEEDS: ``aot_function``, both partitioners, ``choose_saved_values_set``, ``minimum_cut``; for source lines
``_MakefxTracer`` and ``TracerBase._filter_traceback_frames`` (without them nodes have none, or those of modules only).
"""

import contextlib
import dataclasses
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.fx
from torch._functorch.aot_autograd import aot_function
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
from torch._inductor.decomposition import select_decomp_table

from compiler.engine.file_ownership import within_program
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.records.partitioner_state import Weighed, read_network
from compiler.engine.torch_internals.aot_autograd.minimum_cut import MINIMUM_CUT
from compiler.engine.torch_internals.aot_autograd.partition_choices import explored
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.patch.patching import around
from compiler.engine.wide_values import wide_value
from compiler.model.ir.memory_budget_curve import CurvePoint

_CHOOSE = "torch._functorch.partitioners:choose_saved_values_set"
_FILTER = "torch.fx.proxy:TracerBase._filter_traceback_frames"
_TRACER = "torch.fx.experimental.proxy_tensor:_MakefxTracer.__init__"


@dataclasses.dataclass
class Cut:
    """One partition of the joint graph."""

    name: str
    forward: torch.fx.GraphModule
    backward: torch.fx.GraphModule
    saved: list[torch.fx.Node]
    """What the forward hands to the backward: nodes of the forward, inputs included."""
    returned: list[torch.fx.Node]
    """What the program returns, which lives anyway."""
    seconds: float


@dataclasses.dataclass
class TracedAot:
    """What AOTAutograd made of a function."""

    call: Callable[..., Any]
    """Takes the tensors that the function was traced with, and gives what it gave."""
    joint: torch.fx.GraphModule | None = None
    """As traced; None where no gradient is wanted."""
    inference: torch.fx.GraphModule | None = None
    """The only graph, where no gradient is wanted."""
    cuts: tuple[Cut, ...] = ()
    """Default, then min-cut."""
    chosen: tuple[torch.fx.Node, ...] = ()
    """What min-cut chose to save: nodes of the joint graph that it cut."""
    weighed: dict[str, Weighed] = dataclasses.field(default_factory=dict)
    cut_value: float | None = None
    """Value of the minimum cut."""
    curve: tuple[CurvePoint, ...] = ()
    seconds: float = 0.0
    wide: bool = False
    """Run the graphs op by op in float64."""


def trace_aot(
    function: Callable[..., Any],
    tensors: Sequence[torch.Tensor],
    gradients: bool,
    made: Callable[[str, torch.fx.GraphModule], None],
) -> TracedAot:
    """Trace and cut, with Inductor's decompositions. `made` is called with the graph (``joint`` or ``inference``) before
    anything is made of it, and may change it. Raises what AOTAutograd raises.
    """
    found = TracedAot(function)

    def keep(module: torch.fx.GraphModule, _inputs: Any) -> Any:
        if found.joint is None:
            made("inference", module)
            found.inference = module
        return _boxed(module, found)

    def cut(module: torch.fx.GraphModule, inputs: Any, **settings: Any) -> Any:
        found.seconds = time.perf_counter() - started
        _give_backward_lines(module.graph)
        made("joint", module)
        found.joint = clone_module(module)
        outputs = int(settings["num_fwd_outputs"])
        default = _cut("default", default_partition, clone_module(module), inputs, outputs, settings)
        with _watching(found):
            least = _cut("min_cut", min_cut_rematerialization_partition, module, inputs, outputs, settings)
        found.cuts = (default, least)
        return least.forward, least.backward

    compiled = aot_function(
        function, fw_compiler=keep, bw_compiler=keep, partition_fn=cut, decompositions=select_decomp_table()
    )
    started = time.perf_counter()
    with around(_TRACER, _with_stacks), around(_FILTER, _users_frames), torch.set_grad_enabled(gradients):
        compiled(*tensors)
    found.seconds = found.seconds or time.perf_counter() - started
    found.call = compiled
    return found


def _boxed(module: torch.fx.GraphModule, traced: TracedAot) -> Any:
    def call(values: list[Any]) -> Any:
        if traced.wide:
            return interpreter_of(module, wide=True).run(*map(wide_value, values))
        return module.forward(*values)

    call._boxed_call = True
    return call


def _with_stacks(tracer: Any, *args: Any, original: Any, **kwargs: Any) -> None:
    """Torch's tracer notes where each operation was called, which AOTAutograd does not ask it to."""
    original(tracer, *args, **kwargs)
    tracer.record_stack_traces = True


def _users_frames(tracer: Any, stack: traceback.StackSummary, *, original: Any) -> traceback.StackSummary:
    """Torch keeps what stands below the first ``forward``, which a function of the user's need not be called."""
    return traceback.StackSummary.from_list(within_program(stack, lambda frame: frame.filename))


def _give_backward_lines(graph: torch.fx.Graph) -> None:
    """A backward node belongs to the line of the forward node whose autograd sequence number it has."""
    lines: dict[int, str] = {}
    for node in graph.nodes:
        number = node.meta.get("seq_nr")
        if number is None:
            continue
        if node.meta.get("partitioner_tag") != "is_backward":
            if node.stack_trace:
                lines.setdefault(number, node.stack_trace)
        elif number in lines:
            node.stack_trace = lines[number]


def _cut(
    name: str,
    partition: Callable[..., Any],
    module: torch.fx.GraphModule,
    inputs: Any,
    outputs: int,
    settings: dict[str, Any],
) -> Cut:
    started = time.perf_counter()
    forward, backward = partition(module, inputs, **settings)
    seconds = time.perf_counter() - started
    (output,) = forward.graph.find_nodes(op="output")
    returned, saved = (
        [node for node in part if isinstance(node, torch.fx.Node)]
        for part in (output.args[0][:outputs], output.args[0][outputs:])
    )
    return Cut(name, forward, backward, saved, returned, seconds)


@contextlib.contextmanager
def _watching(found: TracedAot) -> Iterator[None]:
    def minimum_cut(network: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        value, sides = original(network, *args, **kwargs)
        found.cut_value, found.weighed = float(value), read_network(network)
        return value, sides

    def choose(graph: Any, info: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        found.curve = explored(original, graph, info)
        found.chosen = tuple(
            original(graph, info, *args, **kwargs)
        )  # last, so that its network is the one read
        return list(found.chosen)

    with around(MINIMUM_CUT, minimum_cut), around(_CHOOSE, choose):
        yield
