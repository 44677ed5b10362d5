"""Hook: what of a compile's time is spent for which line and module, for a compile that is made to find that out.

Torch times phases of whole graphs. Here a clock is switched as Dynamo goes from instruction to instruction, AOTAutograd and
Inductor from node to node and from kernel to kernel, so that each moment is counted once.
"""

import contextlib
import dataclasses
import functools
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from compiler.engine.file_ownership import innermost_line, is_linked
from compiler.engine.fx.graph_import import module_path_of, read_stack
from compiler.engine.torch_internals.patch.patching import around, around_each

GIVES = "compile time by line"
NEEDS = (
    "torch._dynamo.symbolic_convert:InstructionTranslatorBase.step",
    "torch._dynamo.output_graph:OutputGraph.call_user_compiler",
    "torch.fx.experimental.symbolic_shapes:PropagateUnbackedSymInts.run_node",
    "torch._inductor.graph:GraphLowering.run_node",
    "torch._inductor.codegen.cpp:CppScheduling.codegen_node",
    "torch._inductor.codegen.simd:SIMDScheduling.codegen_node",
    "torch._inductor.async_compile:AsyncCompile.wait",
    "torch._inductor.codecache:PyCodeCache.load_by_key_path",
)
DYNAMO, AOT, LOWERING, CODE, BUILD, REST = (
    "Dynamo",
    "AOTAutograd",
    "lowering",
    "code generation",
    "building kernels",
    "whole graphs",
)


class Purpose(NamedTuple):
    """What a moment is spent for."""

    phase: str
    lines: tuple[tuple[str, int], ...] = ()
    """Several share it equally."""
    modules: tuple[str, ...] = ()


@dataclasses.dataclass
class CompileClock:
    """Seconds by purpose; what is inside something else is counted there alone."""

    spent: dict[Purpose, float] = dataclasses.field(default_factory=lambda: defaultdict(float))
    open: list[Purpose] = dataclasses.field(default_factory=list)
    since: float = 0.0

    @contextlib.contextmanager
    def counting(self, purpose: Purpose) -> Iterator[None]:
        """While this is entered, time is spent for it."""
        self._switch()
        self.open.append(purpose)
        try:
            yield
        finally:
            self._switch()
            self.open.pop()

    def _switch(self) -> None:
        now = time.perf_counter()
        if self.open:
            self.spent[self.open[-1]] += now - self.since
        self.since = now


@contextlib.contextmanager
def compile_clock() -> Iterator[CompileClock]:
    """While this is entered, a clock runs; it makes Dynamo somewhat slower."""
    clock = CompileClock()
    with (
        around(NEEDS[0], _by_instruction(clock)),
        around(NEEDS[1], _for_all(clock, Purpose(REST))),
        around(NEEDS[2], _by_node(clock, AOT)),
        around(NEEDS[3], _by_node(clock, LOWERING)),
        around_each(NEEDS[4:6], _by_kernel(clock)),
        around_each(NEEDS[6:], _for_all(clock, Purpose(BUILD))),
    ):
        yield clock


def _by_instruction(clock: CompileClock) -> Any:
    known = functools.lru_cache(maxsize=None)(is_linked)

    def step(translator: Any, *, original: Any) -> Any:
        pointer = translator.instruction_pointer
        if pointer is None:
            return original(translator)
        path = translator.f_code.co_filename
        positions = translator.instructions[pointer].positions
        line = positions.lineno if positions is not None else None
        lines: tuple[tuple[str, int], ...]
        if line is not None and known(path):
            lines = ((path, line),)
        else:  # torch's own functions and library code without a stage are a part of the line that called
            lines = clock.open[-1].lines if clock.open else ()
        modules = getattr(translator, "nn_module_stack", None)
        module = (
            (module_path_of(str(next(reversed(modules.values()))[0])),)
            if isinstance(modules, dict) and modules
            else ()
        )
        with clock.counting(Purpose(DYNAMO, lines, module)):
            return original(translator)

    return step


def _by_node(clock: CompileClock, phase: str) -> Any:
    def run(interpreter: Any, node: Any, *, original: Any) -> Any:
        with clock.counting(_purpose(phase, (node,))):
            return original(interpreter, node)

    return run


def _by_kernel(clock: CompileClock) -> Any:
    def generate(scheduling: Any, fused: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        nodes = [
            origin
            for row in fused.get_nodes()
            for origin in getattr(getattr(row, "node", None), "origins", ())
        ]
        with clock.counting(_purpose(CODE, nodes)):
            return original(scheduling, fused, *args, **kwargs)

    return generate


def _for_all(clock: CompileClock, purpose: Purpose) -> Any:
    def counted(*args: Any, original: Any, **kwargs: Any) -> Any:
        with clock.counting(purpose):
            return original(*args, **kwargs)

    return counted


def _purpose(phase: str, nodes: Any) -> Purpose:
    lines: dict[tuple[str, int], None] = {}
    modules: dict[str, None] = {}
    for node in nodes:
        line = innermost_line(read_stack(node.meta.get("stack_trace") or ""))
        if line is not None:
            lines[line.path, line.line] = None
        stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")
        if stack:
            modules[module_path_of(str(list(stack.values())[-1][0]))] = None
    return Purpose(phase, tuple(lines), tuple(modules))
