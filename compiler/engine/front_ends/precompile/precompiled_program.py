"""torch.compiler.precompile: one run traced to aten operations, lowered by AOTAutograd and Inductor to one Python file."""

import re
from typing import Any

import torch
import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import (
    assigned_links,
    graph_stage,
    operations_in,
    text_stage,
)
from compiler.engine.torch_internals.aot_autograd.precompiling import FORMS, is_available, precompiled
from compiler.engine.torch_internals.dynamo.helper_frames import helper_frames_kept
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage

NAME = "precompile"
_SOURCES = re.compile(r"^\s*# Topologically Sorted Source Nodes: \[([^\]]*)\]")
_MADE_BY = "torch.compiler.precompile"


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Trace, lower, write, load. Raises EngineError on an older torch, and what precompile raises."""
    if not is_available():
        raise EngineError(
            f"torch.compiler.precompile needs torch 2.14 or later; this is torch {torch.__version__}.",
            "Install a newer torch, or capture with make_fx, which traces in the same way.",
        )
    form = spec.compile.backend if spec.compile.backend in FORMS else FORMS[0]
    module = program.module
    graphs: list[Stage] = []
    links: list[LinkTable] = []

    def traced(made: torch.fx.GraphModule) -> None:
        graphs.append(
            graph_stage(NAME, "graph", "Traced graph", made.graph, f"{_MADE_BY}, make_fx", roles=_role)
        )

    def lowered(made: torch.fx.GraphModule) -> None:
        graph = graphs[0]
        stage = graph_stage(
            NAME,
            "lowered",
            "Graph for Inductor",
            made.graph,
            "torch._functorch.aot_autograd.compile_to_python",
            made_from=(graph.id,),
            roles=_role,
        )
        graphs.append(stage)
        links.append(LinkTable(graph.id, stage.id, "decomposed", "torch", _made_from(graph, made.graph)))

    def of_module(model: Any, args: Any, kwargs: Any) -> Any:
        return model(*args, **kwargs)

    def of_function(args: Any, kwargs: Any) -> Any:
        return program.callable(*args, **kwargs)

    given = (program.args, program.kwargs)
    with helper_frames_kept():
        found = (
            precompiled(of_function, given, form, traced, lowered)
            if module is None
            else precompiled(of_module, (module, *given), form, traced, lowered)
        )
    last = graphs[-1]
    text = text_stage(NAME, "python", "Generated Python", found.python, "python", _MADE_BY, (last.id,))
    if form == "eager":
        links.append(assigned_links(graphs[0], text))
    else:
        above = _written_above(graphs[0], found.python)
        links.append(LinkTable(graphs[0].id, text.id, "generated", "torch", above))

    def call(*args: Any, **kwargs: Any) -> Any:
        return found.call(args, kwargs) if module is None else found.call(module, args, kwargs)

    return FrontEndResult(
        (*graphs, text),
        call,
        1,
        operations_in(graphs[0]),
        found.seconds,
        tuple(table for table in links if table.pairs),
        _without_gradients(spec),
    )


def _role(node: torch.fx.Node) -> str:
    return "input" if node.op == "placeholder" else ""


def _made_from(graph: Stage, lowered: torch.fx.Graph) -> tuple[tuple[str, str], ...]:
    """Nodes of the traced graph that torch says a node was made from (``from_node``)."""
    assert graph.graph is not None
    before = {node.id for node in graph.graph.nodes}
    return tuple(
        dict.fromkeys(
            (source.name, node.name)
            for node in lowered.nodes
            for source in node.meta.get("from_node", ())
            if source.name in before
        )
    )


def _written_above(graph: Stage, text: str) -> tuple[tuple[str, str], ...]:
    """Nodes of the traced graph and the lines above which Inductor named them. It does so for library calls, and for Triton
    kernels; C++ kernels have no such line.
    """
    assert graph.graph is not None
    known = {node.id for node in graph.graph.nodes}
    lines = text.split("\n")
    pairs: dict[tuple[str, str], None] = {}
    for number, line in enumerate(lines, 1):
        named = _SOURCES.match(line)
        below = next((at for at in range(number, len(lines)) if not lines[at].lstrip().startswith("#")), None)
        if named is not None and below is not None:
            names = (name.strip() for name in named[1].split(","))
            pairs |= dict.fromkeys((name, line_id(below + 1)) for name in names if name in known)
    return tuple(pairs)


def _without_gradients(spec: CaptureSpec) -> tuple[Problem, ...]:
    if not spec.run.gradients:
        return ()
    return (
        Problem(
            "What precompile makes of a forward has no gradients: its results end in no autograd graph.",
            "precompile takes a whole training step, with loss.backward() in the program.",
            severity=Severity.NOTE,
        ),
    )
