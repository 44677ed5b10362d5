"""The live torch objects behind a capture, held so that an edited graph can be compiled again and swapped in place.

A Dynamo graph stands inside the user's running program: Dynamo's rewritten bytecode calls it, so whatever
function it holds runs with the user's breaks and resume functions around it. Each Inductor graph is part of one.
"""

import contextlib
import copy
import dataclasses
import sys
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import torch
import torch._dynamo.utils
import torch._guards
import torch.fx

from compiler.engine.records.compile_phases import PhaseLog
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.records.wrapper_kernels import kernel_sources
from compiler.engine.torch_internals.inductor.fusion_choices import choosing
from compiler.engine.torch_internals.inductor_kernels.early_builds import building_early
from compiler.engine.torch_internals.inductor_kernels.kernel_knobs import turning
from compiler.engine.torch_internals.inductor_kernels.overlapped_builds import overlapping
from compiler.engine.torch_internals.live.given_inputs import given_again, wants_gradient
from compiler.engine.torch_internals.live.graph_keys import (
    GraphKey,
    graph_key,
    note_strides,
    noted_as,
    same_but_for_origins_of_inputs,
)
from compiler.engine.torch_internals.live.inductor_context import begin_again, compiling_inductor_graph
from compiler.engine.torch_internals.live.stand_in import StandIn
from compiler.engine.torch_internals.live.written_out_regions import write_out_regions
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.cloning import carry_facts, clone_module
from compiler.engine.torch_internals.patch.graph_numbers import next_number, numbered
from compiler.model.ir.graph import Graph
from compiler.model.ir.loop_ir import FusionChoice, KnobChoice

GIVES = "recompiling from an edited stage"
NEEDS = (
    "torch._guards:TracingContext.try_get",
    "torch._guards:CompileContext.try_get",
    "torch._guards:tracing",
    "torch._guards:compile_context",
    "torch._inductor.output_code:CompiledFxGraph",
    "torch._dynamo.utils:detect_fake_mode",
)


@dataclasses.dataclass
class LiveInductorGraph:
    """One Inductor graph with what is needed to compile it again, from AOTAutograd's graph or from the post-grad graph."""

    part: str
    arguments: tuple[Any, ...] = ()
    """What Inductor got beside the graph."""
    keywords: dict[str, Any] = dataclasses.field(default_factory=dict)
    metadata: Any = None
    """What AOTAutograd knew of inputs and outputs when it was compiled."""
    name: Any = None
    """What AOTAutograd called it; its code bears the name."""
    sources: dict[str, torch.fx.GraphModule] = dataclasses.field(default_factory=dict)
    """``aot`` and ``post_grad``: the graphs as the step before left them, without edits of their own."""
    compile: Callable[..., Any] | None = None
    inputs: list[Any] = dataclasses.field(default_factory=list)
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    output: Any = None
    """Torch's CompiledFxGraph; its `current_callable` is what runs."""
    module: Any = None
    """The generated wrapper module."""

    strides: tuple[tuple[int, ...] | None, ...] = ()
    """Strides of what it returns as compiled (Inductor may choose others than the graph says); None where symbolic."""
    received: Graph | None = None
    """The graph as Inductor got it when its Dynamo graph was compiled."""
    key: GraphKey | None = None
    """By what Inductor's result of that can be known to be that of another graph too; None where it cannot."""

    def swap(self, callable_: Callable[..., Any]) -> Callable[..., Any]:
        """Let this graph run something else; gives back what ran before."""
        before: Callable[..., Any] = self.output.current_callable
        self.output.current_callable = callable_
        return before


@dataclasses.dataclass(frozen=True)
class CompiledBefore:
    """What Inductor made of a graph without any edits of its own, and what it can be taken for again."""

    graph: LiveInductorGraph
    callable: Callable[..., Any]
    module: Any
    strides: tuple[tuple[int, ...] | None, ...]
    post_grad: torch.fx.GraphModule
    record: InductorGraphRecord

    def is_for(self, graph: LiveInductorGraph) -> bool:
        """Whether Inductor would make the same of this graph: it is the same by torch's key and in all that code shows."""
        own = self.graph
        if graph.key is None or (own.part, own.key) != (graph.part, graph.key):
            return False
        if own.received is None or graph.received is None:
            return False
        return same_but_for_origins_of_inputs(own.received, graph.received)


class _Plain:
    """Stands for torch's CompiledFxGraph where there is nothing to compile: torch gives a plain function then."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._boxed_call = True  # of the object, since torch's wrappers copy what is in its dict
        self.current_callable = function
        self.output_strides = None

    def __call__(self, args: list[Any]) -> Any:
        return self.current_callable(args)


class _Backend:
    """The user's backend, which also says what it is given."""

    def __init__(self, backend: Callable[..., Any], keep: Callable[[torch.fx.GraphModule], None]) -> None:
        self._backend = backend
        self._keep = keep

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def __call__(self, module: torch.fx.GraphModule, *args: Any, **kwargs: Any) -> Any:
        self._keep(module)
        return self._backend(module, *args, **kwargs)


@contextlib.contextmanager
def bodies_traced_again(tracing: Any, start: str) -> Iterator[None]:
    """AOTAutograd keeps what it made of the body of a nested region by the body's name: of one that is edited it would take
    what it made before.
    """
    known = getattr(tracing, "hop_dispatch_set_cache", None)
    if known is None or start == "joint":
        yield
        return
    tracing.hop_dispatch_set_cache = type(known)()
    try:
        yield
    except BaseException:
        tracing.hop_dispatch_set_cache = known
        raise


class LiveDynamoGraph(StandIn):
    """One Dynamo graph in the running program."""

    def __init__(self, module: Any, output: Any, record: DynamoGraphRecord) -> None:
        self.record = record
        self.dynamo_module = clone_module(module)
        self.placeholders = getattr(output, "inputs", None) or [
            node.meta.get("example_value") for node in module.graph.nodes if node.op == "placeholder"
        ]
        wanted = wants_gradient(module)
        self._wants_gradient = (
            wanted if len(wanted) == len(self.placeholders) else [None for _ in self.placeholders]
        )
        self.backend: Callable[..., Any] = output.compiler_fn
        self.tracing = torch._guards.TracingContext.try_get()
        self.compiling = torch._guards.CompileContext.try_get()
        self.gradients = torch.is_grad_enabled()
        self.number = next_number()
        self.keeps_graph = False
        """Whether the program asked for gradients so that it may ask again: nothing saved for them is overwritten."""
        self.sources: dict[str, torch.fx.GraphModule] = {}
        """``pre_grad`` and ``joint``: the graphs as the step before left them, without edits of their own."""
        self.traced: Any = None
        """What AOTAutograd's tracing gave beside the joint graph, or None (`tracing_results`)."""
        self.settings: dict[str, Any] = {}
        """Inductor's options that the user's torch.compile was given."""
        self.inductor_graphs: list[LiveInductorGraph] = []
        self.function: Callable[..., Any] | None = None

    @contextlib.contextmanager
    def handed_over(self, output: Any) -> Iterator[None]:
        """While Dynamo hands the graph to the backend of `output`: Dynamo notes on it only then what its inputs are."""
        backend = _Backend(output.compiler_fn, lambda module: carry_facts(module, self.dynamo_module))
        with patch.object(output, "compiler_fn", backend):
            yield

    def inputs_again(self) -> list[Any]:
        """What the backend is given instead of real tensors. Dynamo gives it another fake mode than its own, in which AOTAutograd makes
        every fake again: what a scalar's ``item()`` is (a float that may change is passed as a tensor) it would not find again.
        """
        mode = self.tracing.fake_mode if self.tracing is not None else None
        return given_again(self.placeholders, self._wants_gradient, mode)

    def holding(self, compiled: Callable[..., Any]) -> "LiveDynamoGraph":
        """Hold what the backend gave, and stand in for it."""
        self.function = compiled
        return self

    def take(self, part: "LiveDynamoGraph") -> None:
        """Go on with what the compiler made of the only part of this graph."""
        self.inductor_graphs, self.sources = part.inductor_graphs, part.sources
        self.traced, self.settings = part.traced, part.settings

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)  # type: ignore[misc]

    @property
    def has_backward(self) -> bool:
        """Whether the program, as captured, compiled a backward of this graph."""
        return any(inductor_graph.part == "backward" for inductor_graph in self.record.inductor_graphs)

    @contextlib.contextmanager
    def surroundings(self) -> Iterator[None]:
        """The contexts that Dynamo had around the backend call."""
        with contextlib.ExitStack() as stack:
            if self.tracing is not None:
                stack.enter_context(torch._guards.tracing(self.tracing))
            if self.compiling is not None:
                stack.enter_context(torch._guards.compile_context(self.compiling))
            stack.enter_context(torch.set_grad_enabled(self.gradients))
            yield


Editor = Callable[[str, str, torch.fx.GraphModule], bool]
"""Given part and stage (``"", "joint"``) and the live graph there: apply the edits of that stage; whether there were any."""


class LiveProgram:
    """Every Dynamo graph of one captured program; the hooks tell it what comes and goes."""

    def __init__(self) -> None:
        self.dynamo_graphs: list[LiveDynamoGraph] = []
        self.current_dynamo_graph: LiveDynamoGraph | None = None
        self.current_inductor_graph: LiveInductorGraph | None = None
        self.start = ""
        """The stage that is compiled from now; what comes before it is not done again. "" while capturing."""
        self.edit: Editor = lambda part, what, module: False
        self.choices: Callable[[str], tuple[FusionChoice, ...]] = lambda part: ()
        """Fusions chosen for a part."""
        self.knobs: Callable[[str], tuple[KnobChoice, ...]] = lambda part: ()
        """Knobs turned for kernels of a part."""
        self.saved: dict[str, bool] = {}
        """Nodes of the joint graph that a person wants saved, or recomputed."""
        self.budget: float | None = None
        """The memory budget a person chose."""
        self.on_generated: Callable[[Any, tuple[str, ...]], None] = lambda recorder, sources: None
        """Told with the recorder of a recompile when its kernels are about to be built."""
        self.on_made: Callable[[Any], None] = lambda recorder: None
        """Told with the recorder of a recompile when it has made another stage."""
        self.wrappers: list[str] = []
        self.compiled_before: tuple[CompiledBefore, ...] = ()
        """What a recompile may take as it is."""
        self.taken: list[str] = []
        """Parts that the latest recompile took."""
        self.built: set[str] = set()
        """Sources of kernels that were built (`sources_built`: those of `wrappers`, as generated, too)."""
        self.refusals: dict[str, str] = {}
        """Nodes whose choice could not be put to the partitioner, and why."""
        self.keeps_keys = False
        """Whether graphs are to be known again in a recompile."""
        self.exploring = False
        """Whether the partitioner is only asked what it would do."""
        self.phases = PhaseLog()
        """Of the compile that goes on, or the latest."""
        self.caches_off: Callable[[], contextlib.AbstractContextManager[None]] = settings.capturing
        """Around a backward that is compiled later: what the capture had around it."""

    def sources_built(self) -> set[str]:
        """Sources of kernels that were built; more may be added."""
        for known in self.wrappers:
            self.built.update(kernel_sources(known).values())
        self.wrappers.clear()
        return self.built

    def begin(self, module: Any, output: Any, record: DynamoGraphRecord) -> LiveDynamoGraph:
        """Dynamo hands a graph to the backend."""
        dynamo_graph = LiveDynamoGraph(module, output, record)
        self.dynamo_graphs.append(dynamo_graph)
        self.current_dynamo_graph = dynamo_graph
        return dynamo_graph

    def join_part(self, whole: DynamoGraphRecord, only: DynamoGraphRecord) -> None:
        """What is held of the only part of a graph is held of the graph."""
        rows = {id(row.record): row for row in self.dynamo_graphs}
        graph, part = rows.get(id(whole)), rows.get(id(only))
        if graph is not None and part is not None:
            graph.take(part)
            self.dynamo_graphs = [row for row in self.dynamo_graphs if row is not part]

    def begin_inductor_graph(
        self, part: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> LiveInductorGraph:
        """Inductor begins a graph; the Inductor graph that is compiled again, or a new one."""
        inductor_graph = self.current_inductor_graph
        if inductor_graph is None:
            tracing = torch._guards.TracingContext.try_get()
            inductor_graph = LiveInductorGraph(
                part, arguments, keywords, getattr(tracing, "fw_metadata", None)
            )
            inductor_graph.name = getattr(tracing, "aot_graph_name", None)
            if self.current_dynamo_graph is not None:
                self.current_dynamo_graph.inductor_graphs.append(inductor_graph)
        return inductor_graph

    def inner_compile(
        self, original: Callable[..., Any], part: str, record: InductorGraphRecord
    ) -> Callable[..., Any]:
        """Inductor's compile of one graph, remembered so that it can be done again; one that was compiled before is
        taken as it is.
        """
        received = record.aot_graph

        def compile_and_keep(module: Any, inputs: Any, **options: Any) -> Any:
            inductor_graph = self.current_inductor_graph
            if inductor_graph is None:
                return original(module, inputs, **options)
            inductor_graph.compile, inductor_graph.inputs, inductor_graph.options = (
                original,
                list(inputs),
                options,
            )
            if inductor_graph.output is None and self.keeps_keys:
                inductor_graph.received = received
                inductor_graph.key = graph_key(module, inputs, options)
            for before in self.compiled_before:
                if inductor_graph.output is None and before.is_for(inductor_graph):
                    self.taken.append(part)
                    record.take(before.record)
                    return _taken(before, inductor_graph, module)
            with choosing(self.choices(part)), turning(self.knobs(part)):
                output = original(module, inputs, **options)
            if not hasattr(output, "current_callable"):
                output = _Plain(output)
            if inductor_graph.output is None:
                inductor_graph.output = output
            inductor_graph.strides = _strides(output)
            return output

        return compile_and_keep

    def keep_module(self, module: Any) -> None:
        """The generated wrapper."""
        if self.current_inductor_graph is not None:
            self.current_inductor_graph.module = module

    def compile_dynamo(
        self, dynamo_graph: LiveDynamoGraph, module: torch.fx.GraphModule, start: str = "dynamo"
    ) -> None:
        """Compile a Dynamo graph through the user's own backend from a stage on and swap it in: ``dynamo`` with an edited
        module, ``pre_grad`` or ``joint`` with the module that is to go through the steps before.

        If that fails, the version that ran goes on running, and the error is the caller's.
        """
        if "pre_grad" not in dynamo_graph.sources or start == "dynamo":
            write_out_regions(module)
        old = (
            dynamo_graph.inductor_graphs,
            dynamo_graph.function,
            dict(dynamo_graph.sources),
            dynamo_graph.traced,
        )
        dynamo_graph.inductor_graphs, self.current_dynamo_graph, self.start = [], dynamo_graph, start
        try:
            again = bodies_traced_again(dynamo_graph.tracing, start)
            early = building_early(self.sources_built)
            with dynamo_graph.surroundings(), overlapping(), early, numbered(dynamo_graph.number), again:
                dynamo_graph.function = dynamo_graph.backend(module, dynamo_graph.inputs_again())
        except BaseException:
            dynamo_graph.inductor_graphs, dynamo_graph.function, dynamo_graph.sources, dynamo_graph.traced = (
                old
            )
            raise
        finally:
            self.start, self.current_inductor_graph = "", None

    def compile_inductor_graph(
        self,
        dynamo_graph: LiveDynamoGraph,
        inductor_graph: LiveInductorGraph,
        module: torch.fx.GraphModule,
        start: str,
    ) -> None:
        """Compile one graph of a Dynamo graph from AOTAutograd's graph (``aot``) or from an edited post-grad graph
        (``post_grad``, whose passes are skipped), and swap it into the running graph.
        """
        old = inductor_graph.module, inductor_graph.strides, dict(inductor_graph.sources)
        fake_mode = torch._dynamo.utils.detect_fake_mode(inductor_graph.inputs)
        self.current_dynamo_graph, self.current_inductor_graph, self.start = (
            dynamo_graph,
            inductor_graph,
            start,
        )
        try:
            around = compiling_inductor_graph(
                inductor_graph.part,
                dynamo_graph.tracing,
                inductor_graph.name,
                inductor_graph.metadata,
                dynamo_graph.settings,
                fake_mode,
            )
            with dynamo_graph.surroundings(), building_early(self.sources_built), around:
                if start == "aot":
                    fresh = begin_again(
                        inductor_graph.part, module, inductor_graph.arguments, inductor_graph.keywords
                    )
                else:
                    assert inductor_graph.compile is not None
                    with (
                        choosing(self.choices(inductor_graph.part)),
                        turning(self.knobs(inductor_graph.part)),
                    ):
                        fresh = inductor_graph.compile(
                            module, inductor_graph.inputs, **inductor_graph.options
                        )
                        fresh = fresh if hasattr(fresh, "current_callable") else _Plain(fresh)
        except BaseException:
            inductor_graph.module, inductor_graph.strides, inductor_graph.sources = old
            raise
        finally:
            self.current_inductor_graph, self.start = None, ""
        inductor_graph.strides = _strides(fresh)
        inductor_graph.swap(fresh.current_callable)
        fresh.compiled_fn_runner = None  # who goes takes it apart, and what it runs goes on running here


def _taken(before: CompiledBefore, inductor_graph: LiveInductorGraph, module: torch.fx.GraphModule) -> Any:
    """Let a graph run what was compiled before, each with edits of its own from now on."""
    output = copy.copy(before.graph.output)
    output.compiled_fn_runner = None  # whoever goes first would take it apart
    output.current_callable = before.callable
    note_strides(inductor_graph.inputs, output)
    inductor_graph.output, inductor_graph.module, inductor_graph.strides = (
        output,
        before.module,
        before.strides,
    )
    inductor_graph.sources["post_grad"] = noted_as(before.post_grad, module)
    return output


def _strides(compiled: Any) -> tuple[tuple[int, ...] | None, ...]:
    rows = getattr(compiled, "output_strides", None) or ()
    return tuple(
        tuple(map(int, row)) if row is not None and all(str(step).isdigit() for step in row) else None
        for row in rows
    )


def module_globals(module: Any) -> dict[str, Any]:
    """The names that a generated wrapper module runs with."""
    return dict(vars(sys.modules.get(module.__name__, module)) or vars(module))


def fake_mode_of(values: list[Any]) -> Any:
    """The fake tensor mode of some fake values, or None."""
    return torch._dynamo.utils.detect_fake_mode(values)
