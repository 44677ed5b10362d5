"""The live torch objects behind a capture, held so that an edited graph can be compiled again and swapped in place.

A region is one Dynamo graph inside the user's running program: Dynamo's rewritten bytecode calls it, so whatever
function it holds runs with the user's breaks and resume functions around it. A unit is one Inductor graph of a region.
"""

import contextlib
import dataclasses
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch._dynamo.utils
import torch._guards
import torch.fx
from torch._inductor.virtualized import V

from compiler.engine.recording import RegionRecord
from compiler.engine.torch_internals.cloning import clone_module
from compiler.engine.torch_internals.fusion_choices import choosing
from compiler.engine.torch_internals.overlapped_builds import overlapping
from compiler.model.loops import FusionChoice

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
class LiveUnit:
    """One Inductor graph with what is needed to compile its post-grad graph again."""

    part: str
    compile: Callable[..., Any]
    inputs: list[Any]
    options: dict[str, Any]
    post_grad: torch.fx.GraphModule | None = None
    output: Any = None
    """Torch's CompiledFxGraph; its `current_callable` is what runs."""
    module: Any = None
    """The generated wrapper module."""

    strides: tuple[tuple[int, ...] | None, ...] = ()
    """Strides of what it returns as compiled (Inductor may choose others than the graph says); None where symbolic."""

    def swap(self, callable_: Callable[..., Any]) -> Callable[..., Any]:
        """Let this graph run something else; gives back what ran before."""
        before: Callable[..., Any] = self.output.current_callable
        self.output.current_callable = callable_
        return before


class LiveRegion:
    """One Dynamo graph in the running program."""

    def __init__(self, module: Any, output: Any, record: RegionRecord) -> None:
        self.record = record
        self.dynamo_module = clone_module(module)
        self.placeholders = [
            node.meta.get("example_value") for node in module.graph.nodes if node.op == "placeholder"
        ]
        self.backend: Callable[..., Any] = output.compiler_fn
        self.tracing = torch._guards.TracingContext.try_get()
        self.compiling = torch._guards.CompileContext.try_get()
        self.gradients = torch.is_grad_enabled()
        self.units: list[LiveUnit] = []
        self.function: Callable[..., Any] | None = None

    def holding(self, compiled: Callable[..., Any]) -> "LiveRegion":
        """Hold what the backend gave, and stand in for it."""
        self.function = compiled
        return self

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)  # type: ignore[misc]

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


class LiveProgram:
    """Every region of one captured program; the hooks tell it what comes and goes."""

    def __init__(self) -> None:
        self.regions: list[LiveRegion] = []
        self.current_region: LiveRegion | None = None
        self.current_unit: LiveUnit | None = None
        self.skip_post_grad = False

    def begin(self, module: Any, output: Any, record: RegionRecord) -> LiveRegion:
        """Dynamo hands a graph to the backend."""
        region = LiveRegion(module, output, record)
        self.regions.append(region)
        self.current_region = region
        return region

    def inner_compile(self, original: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Inductor's compile of one graph, remembered so that it can be done again."""

        def compile_and_keep(module: Any, inputs: Any, **options: Any) -> Any:
            region = self.current_region
            unit = LiveUnit(part, original, list(inputs), options)
            if region is not None:
                region.units.append(unit)
            self.current_unit = unit
            try:
                unit.output = original(module, inputs, **options)
                unit.strides = _strides(unit.output)
            finally:
                self.current_unit = None
            return unit.output

        return compile_and_keep

    def keep_post_grad(self, module: Any) -> None:
        """The post-grad graph as the passes left it."""
        if self.current_unit is not None and not self.skip_post_grad:
            self.current_unit.post_grad = clone_module(module)

    def keep_module(self, module: Any) -> None:
        """The generated wrapper."""
        if self.current_unit is not None:
            self.current_unit.module = module

    def compile_dynamo(self, region: LiveRegion, module: torch.fx.GraphModule) -> None:
        """Compile an edited Dynamo graph through the user's own backend and swap it in.

        If that fails, the version that ran goes on running, and the error is the caller's.
        """
        old = region.units, region.function
        region.units, self.current_region = [], region
        try:
            with region.surroundings(), overlapping():
                region.function = region.backend(module, list(region.placeholders))
        except BaseException:
            region.units, region.function = old
            raise

    def compile_aside(self, region: LiveRegion, module: torch.fx.GraphModule) -> Callable[..., Any]:
        """Compile a Dynamo graph through the user's own backend; what runs stays as it is."""
        with region.surroundings(), overlapping():
            compiled: Callable[..., Any] = region.backend(module, list(region.placeholders))
        return compiled

    def compile_post_grad(
        self,
        region: LiveRegion,
        unit: LiveUnit,
        module: torch.fx.GraphModule,
        choices: tuple[FusionChoice, ...] = (),
    ) -> None:
        """Compile an edited post-grad graph, its passes skipped and fusions as chosen, and swap it into the running
        graph.
        """
        with contextlib.ExitStack() as stack:
            stack.enter_context(region.surroundings())
            stack.enter_context(choosing(choices))
            fake_mode = torch._dynamo.utils.detect_fake_mode(unit.inputs)
            if fake_mode is not None:
                stack.enter_context(V.set_fake_mode(fake_mode))
            old_module = unit.module
            self.current_unit, self.skip_post_grad = unit, True
            try:
                fresh = unit.compile(module, unit.inputs, **unit.options)
            except BaseException:
                unit.module = old_module
                raise
            finally:
                self.current_unit, self.skip_post_grad = None, False
        unit.strides = _strides(fresh)
        unit.swap(fresh.current_callable)


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
