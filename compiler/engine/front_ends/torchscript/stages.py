"""What TorchScript made of a program as stages: its graph, every pass over it, the frozen one, and what its executor ran."""

import contextlib
import time
from collections.abc import Callable
from typing import Any

import msgspec
import torch

from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import text_stage
from compiler.engine.front_ends.torchscript.graph_import import (
    kinds_in,
    nodes_in,
    operations_of,
    read_script_graph,
)
from compiler.engine.front_ends.torchscript.ir_text import ir_text, named_lines, pass_table
from compiler.engine.front_ends.torchscript.source_ranges import Callers
from compiler.engine.front_ends.torchscript.standalone_ir import StandingIr, copied_in_eval, standing_ir
from compiler.engine.torch_internals.torchscript.script_passes import (
    Pass,
    forget_compiled,
    frozen_passes,
    functions,
    fusing_on_cpu,
    inlined,
    last_executed,
    passes,
)
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.counted import counted
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind

DEPRECATED = Problem(
    "TorchScript is deprecated: torch keeps it running, and develops it no further.",
    "For new work use torch.compile, or torch.export to run without Python.",
    severity=Severity.NOTE,
)
_FUSED_ELEMENTS = 20_000
"""Of all values of a graph; above it the interpreted kernels of the CPU fuser would take minutes."""

Make = Callable[[Any], Any]
"""Script or trace a callable."""


class ScriptStages:
    """Collects the stages of one scripted or traced program."""

    def __init__(self, front_end: str, scripted: Any, program: Program) -> None:
        self.front_end = front_end
        self.stages: list[Stage] = []
        self.links: list[LinkTable] = []
        self.problems: list[Problem] = []
        self._program = program
        self._callers = Callers(scripted.graph, functions())
        self._rows: list[tuple[str, str, int, int, dict[str, int], float]] = []

    def add(
        self,
        what: str,
        title: str,
        graph: Any,
        made_by: str,
        before: Stage | None,
        seconds: float | None = None,
        owner: Any = None,
    ) -> Stage:
        """A graph as a stage, linked to the one it was made from."""
        found = self._read(graph, owner)
        made_from = (before.id,) if before is not None else ()
        stage = Stage(
            f"{self.front_end}:{what}",
            StageKind.FRONT_END_GRAPH,
            title,
            FxStage(found),
            self.front_end,
            "",
            made_by,
            made_from,
            seconds,
        )
        self.stages.append(stage)
        if before is not None and before.graph is not None:
            self.links += _links(before.id, before.graph, stage.id, found)
        return stage

    def _read(self, graph: Any, owner: Any) -> Graph:
        module = owner if owner is not None else self._program.module
        return read_script_graph(graph, self._callers, _attributes(module))

    def add_texts(self, graph: Any, stage: Stage, code: str) -> None:
        """The graph's IR, linked line by line, and the program that TorchScript prints of it."""
        text, pairs = ir_text(graph)
        ir = text_stage(
            self.front_end, "ir", "IR", text, "torchscript", "torch._C.Graph.__str__", (stage.id,)
        )
        self.stages.append(ir)
        known = stage.graph.by_id() if stage.graph is not None else {}
        found = tuple(pair for pair in pairs if pair[0] in known)
        self.links.append(LinkTable(stage.id, ir.id, "same", "torch", found))
        self.stages.append(
            text_stage(
                self.front_end,
                "code",
                "Printed program",
                code,
                "python",
                "torch.jit.ScriptModule.code",
                (stage.id,),
            )
        )

    def add_standing(self, ir: StandingIr, start: Stage) -> None:
        """The text that can be changed, and the graph that torch reads out of it."""
        what = f"{self.front_end}:weights"
        text = text_stage(
            self.front_end,
            "weights",
            "IR, weights as inputs",
            "",
            "torchscript",
            "torch._C._freeze_module",
            (start.id,),
        )
        self.stages.append(msgspec.structs.replace(text, content=ir.content))
        stage = self.add("weights_graph", "IR read again", ir.graph, "torch._C.parse_ir", None)
        self.stages[-1] = msgspec.structs.replace(stage, made_from=(what,))
        known = stage.graph.by_id() if stage.graph is not None else {}
        written, read = named_lines(ir.content.text), named_lines(str(ir.graph))
        if len(written) == len(read):  # torch names values again as it reads, in the same order
            pairs = zip(written, read, strict=True)
            found = tuple((line, name) for (_, line), (name, _) in pairs if name in known)
            self.links.append(LinkTable(what, stage.id, "same", "torch", found))

    def run_passes(
        self, graph: Any, start: Stage, chain: tuple[Pass, ...], prefix: str, owner: Any = None
    ) -> Stage:
        """Run passes one after the other over a copy; those that change it each give a stage. Gives the last."""
        graph, last = graph.copy(), start
        for number, (title, name, function) in enumerate(chain):
            before_kinds, before = kinds_in(graph), nodes_in(graph)
            started = time.perf_counter()
            try:
                given = function(graph)
            except RuntimeError as error:
                self.problems.append(
                    Problem(
                        f"TorchScript's pass {name} failed on this graph.",
                        "The passes after it were run without it.",
                        severity=Severity.NOTE,
                        detail=str(error),
                    )
                )
                continue
            seconds = time.perf_counter() - started
            graph = given if hasattr(given, "nodes") else graph
            after = nodes_in(graph)
            self._rows.append((title, name, before, after, _changes(before_kinds, kinds_in(graph)), seconds))
            if self._read(graph, owner) != last.graph:
                what = f"{prefix}{number}_{name}"
                made_by = f"torch._C._jit_pass_{name}"
                last = self.add(what, f"{title} {before} → {after}", graph, made_by, last, seconds, owner)
        return last

    def add_pass_table(self, start: Stage) -> None:
        """All passes in one table, those that changed nothing too."""
        self.stages.append(
            text_stage(
                self.front_end,
                "passes",
                "All passes",
                pass_table(self._rows),
                "plain",
                "compiler.engine.front_ends.torchscript.stages",
                (start.id,),
            )
        )


def capture_script(
    front_end: str,
    scripted: Any,
    program: Program,
    spec: CaptureSpec,
    make: Make,
    seconds: float,
    graphs: GraphHolder,
) -> FrontEndResult:
    """All stages of a program that was scripted or traced; of `graphs` the edits of the text that stands alone."""
    made = ScriptStages(front_end, scripted, program)
    whole = inlined(scripted.graph)
    called = any("prim::Call" in kind for kind in kinds_in(scripted.graph))
    first = None
    if called:
        title = "As written"
        first = made.add("graph", title, scripted.graph, f"torch.{front_end}", None, seconds)
    what = "inlined" if called else "graph"
    start = made.add(
        what,
        "Inlined" if called else "Graph",
        whole,
        "torch._C._jit_pass_inline" if called else f"torch.{front_end}",
        first,
        None if called else seconds,
    )
    made.add_texts(whole, start, scripted.code)
    made.run_passes(whole, start, passes(), "pass")
    ir = standing_ir(f"{front_end}:weights", program, make, graphs)
    if isinstance(ir, StandingIr):
        made.add_standing(ir, start)
    else:
        made.problems.append(ir)
    _freeze(made, program, start, make)
    made.add_pass_table(start)
    _execute(made, scripted, program, spec, start, make)
    return FrontEndResult(
        tuple(made.stages),
        scripted,
        1,
        operations_of(scripted.inlined_graph),
        seconds,
        tuple(made.links),
        (DEPRECATED, *made.problems),
        alone=ir.alone if isinstance(ir, StandingIr) else None,
    )


def _freeze(made: ScriptStages, program: Program, start: Stage, make: Make) -> None:
    """The frozen graph of a module in eval mode, what is folded in it, and what optimize_for_inference makes of it."""
    if program.module is None:
        return
    try:
        module = copied_in_eval(program.module)
        where = ", in eval mode" if program.module.training else ""
        started = time.perf_counter()
        frozen = torch.jit.freeze(make(module), optimize_numerics=False)
        seconds = time.perf_counter() - started
        graph = frozen.graph
        stage = made.add("frozen", f"Frozen{where}", graph, "torch.jit.freeze", start, seconds, frozen)
        folded = made.run_passes(graph, stage, frozen_passes(), "frozen", frozen)
        started = time.perf_counter()
        best = torch.jit.optimize_for_inference(make(module))
        seconds = time.perf_counter() - started
        made.add(
            "inference",
            "For inference",
            best.graph,
            "torch.jit.optimize_for_inference",
            folded,
            seconds,
            best,
        )
    except Exception as error:  # noqa: BLE001  the user's module and its __deepcopy__ run here; the graphs before are good
        first = str(error).strip().partition("\n")[0]
        made.problems.append(
            Problem(
                f"This program cannot be frozen: {first}",
                "The graphs before freezing are complete.",
                severity=Severity.NOTE,
                detail=str(error),
            )
        )


def _execute(
    made: ScriptStages, scripted: Any, program: Program, spec: CaptureSpec, start: Stage, make: Make
) -> None:
    """The executor's graphs: of run 0, which profiles, of run 1, which is optimised by what was seen, and with fusion."""

    def run() -> Any:
        with unchanged_state(program), torch.random.fork_rng(devices=[]):
            torch.manual_seed(spec.run.seed)
            scripted(*program.args, **program.kwargs)
        return last_executed()

    last, optimised = start, None
    with torch.set_grad_enabled(spec.run.gradients):
        for number, words in enumerate(("profiled", "optimised")):
            graph = run()
            if graph is None:
                return
            optimised = graph
            title = f"Run {number}, {words}"
            last = made.add(f"run{number}", title, graph, "torch's profiling executor", last)
    if optimised is not None and "TensorExprGroup" in str(optimised):
        return
    elements = _elements(made)
    if elements > _FUSED_ELEMENTS:
        made.problems.append(
            Problem(
                f"The executor's fused graph is left out: {counted(elements, 'element')}, and without LLVM its kernels are interpreted.",
                "Give smaller inputs to see it.",
                severity=Severity.NOTE,
            )
        )
        return
    # the fuser's own errors must not cost the capture
    with fusing_on_cpu() as can, torch.no_grad(), contextlib.suppress(RuntimeError):
        if not can:
            return
        forget_compiled()
        scripted = make(program.callable)
        run()
        graph = run()
        if graph is not None and "TensorExprGroup" in str(graph):
            title = "Fused on the CPU"
            made.add(
                "fused",
                title,
                graph,
                "torch's executor with its CPU fuser on, which is off by default",
                start,
            )


def _elements(made: ScriptStages) -> int:
    """Of all values that run 0 saw the size of."""
    run = next((stage for stage in made.stages if stage.id.endswith(":run0")), None)
    count = 0
    for node in run.graph.nodes if run is not None and run.graph is not None else ():
        for note in node.notes:
            _, found, sizes = note.partition("profiled as ")
            count += _product(sizes) if found else 0
    return count


def _product(profiled: str) -> int:
    """Elements of ``Float(2, 4, strides=…)``."""
    count = 1
    for part in profiled.partition("(")[2].split(","):
        if not part.strip().isdigit():
            break
        count *= int(part)
    return count


def _attributes(module: Any) -> Callable[[str], Any] | None:
    if module is None:
        return None

    def find(path: str) -> Any:
        value = module
        for name in path.split("."):
            value = getattr(value, name)
        return value

    return find


def _changes(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    kinds = sorted({*before, *after})
    changed = {kind: after.get(kind, 0) - before.get(kind, 0) for kind in kinds}
    return {kind: count for kind, count in changed.items() if count}


def _links(before_id: StageId, before: Graph, after_id: StageId, after: Graph) -> list[LinkTable]:
    """By name where the node still does the same at the same place; else by what it does and where, if only one does."""
    old = before.by_id()
    named = []
    rest: list[Node] = []
    for node in after.nodes:
        known = old.get(node.id)
        if known is not None and _what(known) == _what(node):
            named.append((node.id, node.id))
            del old[node.id]
        else:
            rest.append(node)
    found = [LinkTable(before_id, after_id, "same", "name", tuple(named))] if named else []
    left, right = _only(old.values()), _only(rest)
    placed = tuple((left[key], right[key]) for key in left if key in right)
    return [*found, LinkTable(before_id, after_id, "same", "torch", placed)] if placed else found


def _what(node: Node) -> tuple[str, str, object]:
    return (node.op, node.target, node.stack)


def _only(nodes: Any) -> dict[tuple[str, str, object], str]:
    """Nodes of which no other does the same at the same place."""
    seen: dict[tuple[str, str, object], str] = {}
    twice = set()
    for node in nodes:
        key = _what(node)
        if key in seen or not (node.stack or node.op == "get_attr"):
            twice.add(key)
        seen[key] = node.id
    return {key: name for key, name in seen.items() if key not in twice}


def side_by_side(front_end: str, scripted: Any, program: Program, words: str) -> ScriptStages:
    """One other graph of the same program, to be looked at beside it."""
    made = ScriptStages(front_end, scripted, program)
    whole = inlined(scripted.graph)
    stage = made.add("graph", words, whole, f"torch.{front_end}", None)
    made.add_texts(whole, stage, scripted.code)
    return made


def with_more(result: FrontEndResult, other: ScriptStages, problems: tuple[Problem, ...]) -> FrontEndResult:
    """A result with the stages of another way beside its own."""
    result.stages = (*result.stages, *other.stages)
    result.links = (*result.links, *other.links)
    result.problems = (*result.problems, *problems)
    return result
