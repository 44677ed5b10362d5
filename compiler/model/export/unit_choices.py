"""Choices of fusion, knobs, kernel sources and wrappers in the exported module: a wrapper around Inductor's compile of one graph."""

from collections.abc import Iterator

from compiler.model.export.edited_inductor_graph import EditedInductorGraph

IMPORTS = """import ast
import contextlib
from collections.abc import Iterator
from unittest.mock import patch

import torch._functorch.config
from torch._inductor import scheduler as inductor_scheduler
from torch._inductor.choices import InductorChoices
from torch._inductor.codegen.cpp import CppScheduling
from torch._inductor.compile_fx import compile_fx, compile_fx_inner
from torch._inductor.graph import GraphLowering
from torch._inductor.ir import ComputedBuffer
from torch._inductor.scheduler import Scheduler
from torch._inductor.virtualized import V
"""

CODE = '''
class Unit(NamedTuple):
    """What was chosen for the code of one graph that Inductor compiles."""

    stages: tuple[str, ...]
    names: str
    """Digest of the names of the graph's nodes; of an inference graph before the joint passes."""
    backward: bool
    compile_id: str
    fusions: tuple[tuple[str, str, bool], ...]
    """(node of the loop IR, another, whether they are fused)."""
    kernels: dict[str, str]
    """Name of a kernel -> its source."""
    knobs: tuple[tuple[str, str, Any], ...]
    """(node of the loop IR, setting of Inductor's for its kernel, value)."""
    wrapper: str
    """The module that calls the kernels, where it was written by hand."""
    wrapper_base: str
    """Digest of the generated one, comments left out."""


def edited_inductor_graph(module: GraphModule, inputs: Sequence[Any], **more: Any) -> Any:
    """Inductor's compile of one graph, with what was chosen for it, if it is one of those."""
    names = names_of(module.graph)
    met = {names, MET.pop("inference", names)} if more.get("is_inference") else {names}
    compile_id = str(CompileContext.current_compile_id())
    for unit in UNITS:
        if unit.names in met and unit.backward == bool(more.get("is_backward")) and unit.compile_id in ("", compile_id):
            # the cache of compiled graphs does not know of these choices
            with (
                torch._inductor.config.patch(fx_graph_cache=False),
                chosen_fusions(unit),
                turned_knobs(unit),
                given_kernels(unit),
            ):
                return compile_fx_inner(module, inputs, **more)
    return compile_fx_inner(module, inputs, **more)


@contextlib.contextmanager
def chosen_fusions(unit: Unit) -> Iterator[None]:
    """While this is entered, the scheduler fuses these pairs, or does not; what would be wrong is still refused."""
    if not unit.fusions:
        yield
        return

    before = type(V.choices)

    def choice(first: Any, second: Any) -> bool | None:
        left, right = set(first.get_operation_names()), set(second.get_operation_names())
        met = [
            fuse
            for one, other, fuse in unit.fusions
            if (one in left and other in right) or (other in left and one in right)
        ]
        return all(met) if met else None

    class Chosen(before):
        """Inductor's heuristics, asked second."""

        def can_fuse(self, scheduler: Any, first: Any, second: Any, score: Any) -> bool:
            wanted = choice(first, second)
            return bool(before.can_fuse(scheduler, first, second, score)) if wanted is None else wanted

        def can_fuse_horizontal(self, scheduler: Any, first: Any, second: Any, score: Any) -> bool:
            return choice(first, second) is True or bool(before.can_fuse_horizontal(scheduler, first, second, score))

        def score_fusion(self, scheduler: Any, first: Any, second: Any) -> Any:
            score = before.score_fusion(scheduler, first, second)
            return type(score)(10**9, *list(vars(score).values())[1:]) if choice(first, second) else score

    original = Scheduler.get_possible_fusions

    def possible(scheduler: Any, nodes: Any, *more: Any) -> Any:
        found = original(scheduler, nodes, *more)
        known = {frozenset((one.get_name(), other.get_name())) for one, other in found}
        asked = [
            (one, other)
            for index, one in enumerate(nodes)
            for other in nodes[index + 1 :]
            if choice(one, other) is True
            and frozenset((one.get_name(), other.get_name())) not in known
            and scheduler.can_fuse(one, other)
        ]
        return [*asked, *found]

    with patch.object(Scheduler, "get_possible_fusions", possible), V.set_choices_handler(Chosen()):
        yield
    APPLIED.extend(stage for stage in unit.stages if stage.endswith(":loops"))


@contextlib.contextmanager
def turned_knobs(unit: Unit) -> Iterator[None]:
    """While this is entered, Inductor's settings are others for the kernels of these nodes."""
    if not unit.knobs:
        yield
        return
    orders = {
        node: tuple(map(int, str(value).split(","))) for node, knob, value in unit.knobs if knob == "loop_order"
    }
    generate, reorder, pick = (
        CppScheduling.codegen_node,
        ComputedBuffer.simplify_and_reorder,
        inductor_scheduler.pick_loop_order,
    )
    current: list[str] = []

    def generated(scheduling: Any, node: Any) -> Any:
        names = {part.get_name() for part in node.get_nodes()}
        settings = {knob: value for one, knob, value in unit.knobs if one in names and knob != "loop_order"}
        with torch._inductor.config.patch(settings):
            return generate(scheduling, node)

    def reordered(buffer: Any, *more: Any, **named: Any) -> Any:
        current.append(str(buffer.operation_name))
        try:
            return reorder(buffer, *more, **named)
        finally:
            current.clear()

    def picked(strides: Any, sizes: Any, *more: Any, **named: Any) -> Any:
        order = pick(strides, sizes, *more, **named)
        chosen = orders.get(current.pop() if current else "", ())
        return list(reversed(chosen)) if len(chosen) == len(order) else order

    with (
        patch.object(CppScheduling, "codegen_node", generated),
        patch.object(ComputedBuffer, "simplify_and_reorder", reordered),
        patch.object(inductor_scheduler, "pick_loop_order", picked),
    ):
        yield
    if not unit.fusions:
        APPLIED.extend(stage for stage in unit.stages if stage.endswith(":loops"))


@contextlib.contextmanager
def given_kernels(unit: Unit) -> Iterator[None]:
    """While this is entered, the wrapper and kernels of these names get the texts that were written by hand."""
    if not unit.kernels and not unit.wrapper:
        yield
        return
    original = GraphLowering.codegen

    def codegen(graph: Any) -> Any:
        wrapper, kernels = original(graph)
        if unit.wrapper:
            lines = [line for line in wrapper.value.split("\\n") if not line.lstrip().startswith("#")]
            if hashlib.sha256("\\n".join(lines).encode()).hexdigest()[:16] != unit.wrapper_base:
                raise RuntimeError("the generated wrapper is another than the one that was edited")
            wrapper.value = unit.wrapper
            APPLIED.extend(stage for stage in unit.stages if stage.endswith(":wrapper"))
        for name, source in unit.kernels.items():
            wrapper.value = with_source(wrapper.value, name, source)
        APPLIED.extend(stage for stage in unit.stages if stage.endswith(":kernels"))
        return wrapper, kernels

    with patch.object(GraphLowering, "codegen", codegen):
        yield


def with_source(wrapper: str, name: str, source: str) -> str:
    """The generated module with another source for a kernel."""
    for statement in ast.parse(wrapper).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            target, texts = statement.targets[0], [
                item for item in statement.value.args if isinstance(item, ast.Constant) and isinstance(item.value, str)
            ]
            if isinstance(target, ast.Name) and target.id == name and texts:
                constant = max(texts, key=lambda item: len(item.value))
                lines, text = wrapper.split("\\n"), f"\\n{source}\\n"
                first, last = constant.lineno - 1, constant.end_lineno - 1
                head = lines[first].encode()[: constant.col_offset].decode()
                tail = lines[last].encode()[constant.end_col_offset :].decode()
                quoted = repr(text) if "\'\'\'" in text else f"r\'\'\'{text}\'\'\'"
                return "\\n".join((*lines[:first], head + quoted + tail, *lines[last + 1 :]))
    raise RuntimeError(f"there is no kernel {name}: the generated code is another than when its source was written")
'''


def table(units: tuple[EditedInductorGraph, ...]) -> Iterator[str]:
    """The rows that `CODE` looks at."""
    yield "UNITS = ("
    for unit in units:
        fusions = tuple((row.first, row.second, row.fuse) for row in unit.choices)
        yield "    Unit("
        yield f"        {unit.stages!r}, {unit.names!r}, {unit.backward!r}, {unit.compile_id!r}, {fusions!r},"
        yield "        {"
        for name, source in unit.kernels:
            yield f"            {name!r}: {_quoted(source)},"
        knobs = tuple((row.node, row.knob, row.value) for row in unit.knobs)
        yield f"        }}, {knobs!r},"
        yield f"        {_quoted(unit.wrapper)}, {unit.wrapper_base!r},"
        yield "    ),"
    yield ")"


def _quoted(source: str) -> str:
    """A source as a Python literal that can be read, and that gives the very same text."""
    return repr(source) if "'''" in source or source.endswith(("\\", "'")) else f"r'''{source}'''"
