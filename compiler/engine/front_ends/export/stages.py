"""What torch.export keeps beside the graph, as stages: signature, sizes, decomposed graph, draft report."""

import dataclasses
import re
from typing import Any

import torch
import torch.fx
from torch.export import ExportedProgram

from compiler.engine.file_ownership import innermost
from compiler.engine.front_ends.interface.editable_graphs import EditableGraph, GraphHolder
from compiler.engine.front_ends.interface.stage_builders import graph_stage, read_front_end_graph, text_stage
from compiler.engine.torch_internals.live.live_graphs import fake_mode_of
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_RELATION = re.compile(r"^(?!.*Piecewise)(.*[<>]|(Eq|Ne|Not|And|Or)\()")


def exported_graph(name: str, exported: ExportedProgram, made_by: str, seconds: float | None) -> Stage:
    """The graph, its parameters and buffers told from its inputs."""
    return graph_stage(
        name, "graph", "Exported graph", exported.graph, made_by, seconds, roles=_roles(exported)
    )


def hold_exported(name: str, exported: ExportedProgram, graphs: GraphHolder) -> None:
    """Let the graph be edited; what the signature says of its results follows. Raises EngineError."""
    module = exported.graph_module
    inputs = [node.meta.get("val") for node in exported.graph.nodes if node.op == "placeholder"]
    plain = read_front_end_graph(exported.graph, _roles(exported))
    graphs.hold(EditableGraph(f"{name}:graph", module, plain, inputs, fake_mode_of(inputs)))
    (output,) = exported.graph.find_nodes(op="output")
    for made, result in zip(exported.graph_signature.output_specs, output.args[0], strict=True):
        if isinstance(result, torch.fx.Node) and getattr(made.arg, "name", result.name) != result.name:
            made.arg = dataclasses.replace(made.arg, name=result.name)


def exported_texts(name: str, exported: ExportedProgram, graph: Stage) -> list[Stage]:
    """The program as torch prints it, its signature, and the sizes it holds for."""
    from_graph = (graph.id,)
    return [
        text_stage(name, "program", "Exported program", str(exported), "python", "torch.export", from_graph),
        text_stage(
            name, "signature", "Signature", _signature(exported), "plain", "torch.export.ExportGraphSignature", from_graph
        ),
        text_stage(
            name, "ranges", "Range constraints", _ranges(exported), "plain", "torch.export", from_graph
        ),
    ]  # fmt: skip


def decomposed(
    name: str, exported: ExportedProgram, graph: Stage
) -> tuple[list[Stage], list[LinkTable], list[Problem]]:
    """The graph in core aten operations, linked node by node; what torch says where it cannot be decomposed."""
    try:
        core = exported.run_decompositions()
    except Exception as error:  # noqa: BLE001  decompositions are torch's and anybody's; the exported graph stands
        first = str(error).strip().partition("\n")[0]
        return (
            [],
            [],
            [
                Problem(
                    f"The exported graph cannot be decomposed: {first}.",
                    "The graph before it is whole.",
                    severity=Severity.NOTE,
                )
            ],
        )
    made_by = "torch.export.ExportedProgram.run_decompositions"
    stage = graph_stage(name, "core", "Core aten graph", core.graph, made_by, None, (graph.id,), _roles(core))
    return [stage], [LinkTable(graph.id, stage.id, "decomposed", "name", _pairs(graph, stage, core))], []


def report_stage(name: str, exported: Any, graph: Stage) -> tuple[list[Stage], list[Problem]]:
    """What draft_export found, and a problem for each finding with the user's line."""
    report = getattr(exported, "_report", None)
    if report is None:
        return [], []
    names = getattr(report, "str_to_filename", {})
    text = _COLOUR.sub("", str(report)).strip() + "\n"
    stage = text_stage(
        name, "report", "Draft report", text, "plain", "torch.export.draft_export", (graph.id,)
    )
    return [stage], [_finding(failure, names) for failure in getattr(report, "failures", ())]


def _finding(failure: Any, names: dict[int, str]) -> Problem:
    data = getattr(failure, "data", {})
    kind = str(getattr(failure.failure_type, "name", failure.failure_type)).replace("_", " ").lower()
    about = data.get("expr") or data.get("op") or ""
    path, line = _place(data.get("user_stack") or (), names)
    result = f"; it was taken to be {_taken(str(about), str(data['result']))}" if "result" in data else ""
    return Problem(
        f"Draft export: {kind}: {about}{result}.",
        "The report has torch's advice; the graph holds only where this does.",
        path,
        line,
        Severity.WARNING,
    )


def _taken(expression: str, result: str) -> str:
    """A relation is true or false; older torches write 1 and 0."""
    if _RELATION.search(expression):
        return {"1": "True", "0": "False"}.get(result, result)
    return result


def _place(stack: Any, names: dict[int, str]) -> tuple[str, int | None]:
    """The innermost line of the user's in what the report keeps of a stack."""
    lines = [(names.get(frame.get("filename"), ""), frame.get("line")) for frame in stack]
    return innermost(lines, lambda item: item[0]) or ("", None)


def _roles(exported: ExportedProgram) -> Any:
    signature = exported.graph_signature
    known = {*signature.inputs_to_parameters, *signature.inputs_to_buffers}
    return lambda node: "parameter" if node.name in known else "input"


def _signature(exported: ExportedProgram) -> str:
    signature = exported.graph_signature
    lines = ["# inputs"]
    for given in signature.input_specs:
        name = getattr(given.arg, "name", given.arg)
        target = f"  {given.target}" if given.target else ""
        lines.append(f"{given.kind.name.lower():<16} {name}{target}")
    lines.append("# outputs")
    for made in signature.output_specs:
        name = getattr(made.arg, "name", made.arg)
        target = f"  written to {made.target}" if made.target else ""
        lines.append(f"{made.kind.name.lower():<16} {name}{target}")
    return "\n".join(lines) + "\n"


def _ranges(exported: ExportedProgram) -> str:
    if not exported.range_constraints:
        return "# no size is left open: the graph holds for the sizes of the example\n"
    lines = [
        f"{symbol}: {bounds.lower} to {bounds.upper}" for symbol, bounds in exported.range_constraints.items()
    ]
    for node in exported.graph.nodes:
        value = node.meta.get("val")
        if node.op == "placeholder" and isinstance(value, torch.Tensor):
            sizes = [str(size) for size in value.shape]
            if any(not size.isdigit() for size in sizes):
                lines.append(f"{node.name}: [{', '.join(sizes)}]")
    return "\n".join(lines) + "\n"


def _pairs(graph: Stage, core: Stage, program: ExportedProgram) -> tuple[tuple[str, str], ...]:
    """Names that stayed, and nodes that torch says were made from one (``from_node``)."""
    assert graph.graph is not None
    before = {node.id for node in graph.graph.nodes}
    found: dict[tuple[str, str], None] = {}
    for node in program.graph.nodes:
        origins = [source.name for source in node.meta.get("from_node", ())]
        made_from = [name for name in origins if name in before] if node.op == "call_function" else []
        for name in made_from[-1:] or [node.name]:
            if name in before:
                found[(name, node.name)] = None
    return tuple(found)
