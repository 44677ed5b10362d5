"""What is known of one node, instruction, line or kernel, as text with links. No widgets of its own."""

from dataclasses import dataclass, field

from app.panes.inspector_pane.collective_facts import (
    Link,
    collective_facts,
    kernel_collective_facts,
    links,
    loop_collective_facts,
)
from app.session.edit_builders.fusion_traffic_text import step_text, steps_into
from app.translation.texts import tr
from app.widgets.labels.link_label import RichText
from compiler.analysis.gpu.lowering_diff import INDENT, need_rows
from compiler.analysis.text_format.printer import body_lines
from compiler.model.capture.capture import Capture
from compiler.model.capture.probe_readings import describe_reading
from compiler.model.diagrams.diagrams import short_target
from compiler.model.gpu.lowered_stages import lowered_answer
from compiler.model.ir.graph import Node, SourceLine
from compiler.model.ir.ids import NodeId, line_id, line_of, place
from compiler.model.ir.loop_ir import Dependency, Kernel, LoopNode, LoopProgram
from compiler.model.ir.own_kernels import own_kernel
from compiler.model.ir.programs import Instruction
from compiler.model.ir.stage import (
    BytecodeStage,
    KernelStage,
    LoopStage,
    SourceStage,
    Stage,
    StageKind,
    WrapperStage,
)
from compiler.model.ir.tensor_types import TensorValue, Value, byte_size, describe, describe_bytes


@dataclass
class Facts:
    """A node in the inspector: heading, rows of facts, longer texts, lines of code it comes from."""

    name: str
    what: str
    rows: list[tuple[str, RichText]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """(heading, monospaced text)."""
    stack: tuple[SourceLine, ...] = ()
    notes: tuple[str, ...] = ()
    node: Node | None = None
    """The FX node, whose arguments can be shown as a tree."""


def facts_of(capture: Capture, stage: Stage, node_id: NodeId, link: Link) -> Facts | None:
    """What there is to say, or None when the stage has no such node (an edit took it away)."""
    content = stage.content
    if stage.graph is not None:
        if not stage.graph.holds(node_id):
            return None
        fx = stage.graph.node(node_id)
        facts = _fx(stage, fx, link)
        if fx.body:
            facts.texts.append((tr("Holds"), "\n".join(body_lines(fx))))
        seen = [row for row in capture.readings if (row.stage, row.node) == (stage.id, node_id)]
        facts.texts += [(tr("Probed"), describe_reading(row)) for row in seen]
        return facts
    match content:
        case LoopStage():
            loop = next((node for node in content.program.nodes if node.id == node_id), None)
            return _loop(capture, stage, content.program, loop, link) if loop is not None else None
        case KernelStage():
            return _kernel(capture, stage, content.kernels.kernels, node_id, link)
        case BytecodeStage():
            found = next((item for item in content.code.instructions if item.id == node_id), None)
            return _instruction(capture, found, content.code.path, link) if found is not None else None
        case SourceStage():
            return _text_line(node_id, content.file.path, content.file.text)
        case WrapperStage():
            return _text_line(node_id, content.code.path, content.code.text)
    return None


def _plain(text: str, style: str = "") -> RichText:
    return RichText().text(text, style)


def _fx(stage: Stage, node: Node, link: Link) -> Facts:
    facts = Facts(
        node.id, own_kernel(node) or short_target(node), stack=node.stack, notes=node.notes, node=node
    )
    facts.rows.append((tr("Calls") if node.op.startswith("call") else node.op, _plain(node.target, "mono")))
    if node.op.startswith("call"):
        facts.rows.append((tr("Op"), _plain(node.op)))
    if node.value is not None:
        facts.rows.append((tr("Result"), _plain(describe(node.value), "mono")))
        if details := _value_details(node.value):
            facts.rows.append(("", _plain(details, "dim")))
    if node.module_path or node.module_type:
        kind = f" ({node.module_type.rpartition('.')[2]})" if node.module_type else ""
        facts.rows.append((tr("Module"), _plain(node.module_path or tr("top level")).text(kind, "dim")))
    if stage.graph is not None:
        facts.rows += collective_facts(stage, stage.graph, node, link)
    if node.role or node.lane:
        facts.rows.append((tr("Role"), _plain(" ".join(part for part in (node.lane, node.role) if part))))
    graph = stage.graph
    if graph is not None:
        used_by = graph.users()[node.id]
        facts.rows.append(
            (tr("Used by"), links(stage, used_by, link) if used_by else _plain(tr("nothing"), "dim"))
        )
    return facts


def _value_details(value: Value) -> str:
    parts = []
    if (size := byte_size(value)) is None or size:
        parts.append(describe_bytes(size))
    if isinstance(value, TensorValue):
        parts.append(value.device)
        if value.stride is not None:
            parts.append(tr("strides ({names})").format(names=", ".join(value.stride)))
        if value.requires_grad:
            parts.append(tr("requires grad"))
    return ", ".join(parts)


def _loop(capture: Capture, stage: Stage, program: LoopProgram, node: LoopNode, link: Link) -> Facts:
    facts = Facts(node.id, node.operation)
    facts.rows.append((tr("Kind"), _plain(node.kind)))
    if node.sizes:
        facts.rows.append((tr("Sizes"), _plain(node.sizes, "mono")))
    if node.layout:
        facts.rows.append((tr("Layout"), _plain(node.layout, "mono")))
    facts.rows += [(tr("Reads"), _plain(_dependency(item), "mono")) for item in node.reads]
    facts.rows += [(tr("Writes"), _plain(_dependency(item), "mono")) for item in node.writes]
    if node.bytes_moved is not None:
        facts.rows.append(
            (
                tr("Moves"),
                _plain(tr("{size} (Inductor's count)").format(size=describe_bytes(node.bytes_moved))),
            )
        )
    facts.rows += loop_collective_facts(capture, stage, program, node, link)
    if node.flops:
        facts.rows.append((tr("Computes"), _plain(f"{node.flops:,} FLOP")))
    if node.children:
        facts.rows.append((tr("Fuses"), _plain(", ".join(node.children))))
    turned = [row for row in program.knobs if row.node == node.id]
    facts.rows += [
        (tr("Knob"), _plain(tr("{knob} = {value}, turned by hand").format(knob=row.knob, value=row.value)))
        for row in turned
    ]
    if node.inputs:
        facts.rows.append((tr("Reads from"), links(stage, node.inputs, link)))
    if node.origins:
        facts.rows.append((tr("Lowered from"), _plain(", ".join(node.origins))))
    fusions = steps_into(tuple(step for step in capture.fusions if step.stage == stage.id), node)
    facts.rows += [(tr("Fused") if step is fusions[0] else "", _plain(step_text(step))) for step in fusions]
    facts.notes = tuple(
        tr("Not fused with {value}: {reason}").format(
            value=(other := second if first == node.id else first), reason=reason
        )
        + _would_save(program, node.id, other)
        for first, second, reason in program.not_fused
        if node.id in (first, second)
    )
    if node.body:
        facts.texts.append((tr("Loop body"), node.body.rstrip()))
    return facts


def _would_save(program: LoopProgram, first: NodeId, second: NodeId) -> str:
    known = {node.id for node in program.nodes}
    saved = program.would_save(first, second) if {first, second} <= known else None
    return tr(" (it would save {size} of memory traffic)").format(size=describe_bytes(saved)) if saved else ""


def _dependency(item: Dependency) -> str:
    index = f"[{item.index}]" if item.index else ""
    size = tr("  size {size}").format(size=item.size) if item.size else ""
    return f"{item.buffer}{index}{size}" + (f" · {describe_bytes(item.bytes)}" if item.bytes else "")


def _kernel(
    capture: Capture, stage: Stage, kernels: tuple[Kernel, ...], node_id: NodeId, link: Link
) -> Facts | None:
    by_id = {kernel.id: kernel for kernel in kernels}
    line = None
    if node_id not in by_id:
        line, node_id = line_of(node_id), node_id.rpartition(":")[0]
    kernel = by_id.get(node_id)
    if kernel is None:
        return None
    name = tr("{id}, line {line}").format(id=kernel.id, line=line) if line else kernel.id
    facts = Facts(
        name,
        tr("{language} kernel").format(language=kernel.language)
        if kernel.language != "extern"
        else tr("library call"),
    )
    if line:
        facts.texts.append((tr("Line"), kernel.source.split("\n")[line - 1].strip()))
        facts.rows.append((tr("Kernel"), link(kernel.id, place(stage.id, kernel.id))))
    if kernel.source_path:
        facts.rows.append((tr("Source"), _plain(kernel.source_path, "mono")))
    elif not kernel.source:
        facts.rows.append((tr("Source"), _plain(tr("none: the wrapper calls a library"), "dim")))
    facts.rows += _calls(capture, stage, kernel, link)
    facts.rows += kernel_collective_facts(capture, stage, kernel, link)
    if kernel.loop_nodes:
        facts.rows.append((tr("Runs"), _plain(", ".join(kernel.loop_nodes))))
    if kernel.origins:
        facts.rows.append((tr("Made from"), _plain(", ".join(kernel.origins))))
    facts.rows += need_facts(capture, kernel.name)
    return facts


def need_facts(capture: Capture, kernel: str) -> list[tuple[str, RichText]]:
    """Registers, memory, occupancy and instructions of a kernel that was lowered; else nothing."""
    answer = lowered_answer(capture, kernel)
    if answer is None:
        return []
    rows = need_rows(None, answer.lowered[0])
    return [(row.what, _plain(row.after)) for row in rows if not row.what.startswith(INDENT)]


def _calls(capture: Capture, stage: Stage, kernel: Kernel, link: Link) -> list[tuple[str, RichText]]:
    """The line of the wrapper of the same graph that calls the kernel."""
    return [
        (
            tr("Called"),
            link(
                tr("wrapper line {call_line}").format(call_line=kernel.call_line),
                place(wrapper.id, line_id(kernel.call_line)),
            ),
        )
        for wrapper in capture.of_kind(StageKind.WRAPPER)
        if kernel.call_line is not None
        and (wrapper.compile_id, wrapper.part) == (stage.compile_id, stage.part)
    ]


def _instruction(capture: Capture, item: Instruction, path: str, link: Link) -> Facts:
    facts = Facts(
        f"{item.opname} {item.argument}".rstrip(),
        tr("instruction; the log does not tell its offset")
        if item.offset is None
        else tr("instruction at offset {offset}").format(offset=item.offset),
    )
    if item.line is not None:
        columns = ""
        if item.column is not None and item.end_column is not None:
            columns = tr(", columns {value} to {end_column}").format(
                value=item.column + 1, end_column=item.end_column
            )
        name = path.rpartition("/")[2]
        row = source_link(capture, SourceLine(path, item.line), f"{name}:{item.line}", link)
        facts.rows.append((tr("Source"), row.text(columns, "dim")))
    facts.rows.append(("Dynamo", _plain(tr("traced it") if item.traced else tr("did not trace it"))))
    if item.jump_target:
        facts.rows.append(("", _plain(tr("target of a jump"))))
    return facts


def source_link(capture: Capture, location: SourceLine, text: str, link: Link) -> RichText:
    """A link to a source line, or plain text where the file was not captured (torch's own files)."""
    for stage in capture.of_kind(StageKind.SOURCE):
        if isinstance(stage.content, SourceStage) and stage.content.file.path == location.path:
            return link(text, place(stage.id, line_id(location.line)))
    return RichText().text(text)


def _text_line(node_id: NodeId, path: str, text: str) -> Facts | None:
    line, lines = line_of(node_id), text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return None
    facts = Facts(f"{path.rpartition('/')[2]}:{line}", tr("line of the program"))
    facts.rows.append((tr("File"), _plain(path, "mono")))
    facts.texts.append((tr("Line"), lines[line - 1].strip()))
    return facts
