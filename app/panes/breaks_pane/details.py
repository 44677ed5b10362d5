"""One graph break in full: what, why, what to do, and the way there."""

from app.translation.compiler_texts import translate
from app.translation.texts import tr
from app.widgets.labels.link_label import RichText
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import GraphBreak, StackValue
from compiler.model.graph_breaks.break_summary import describe, describe_category
from compiler.model.graph_breaks.ranked_breaks import RankedBreak
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import Place
from compiler.model.ir.programs import CodeObject, Instruction
from compiler.model.ir.stage import BytecodeStage


def break_details(capture: Capture, item: RankedBreak) -> tuple[RichText, list[Place]]:
    """The text, and where its links lead."""
    text, whole = RichText(), item.first
    places: list[Place] = []
    text.text(whole.kind, "bold")
    if whole.registry_id:
        text.text(f"   {whole.registry_id}", "dim")
    text.line()
    times = tr("met %n time(s)", None, item.times)
    frames = tr(" in graph {names}").format(names=", ".join(item.frames)) if item.frames else ""
    text.text(f"{times}{frames}", "dim").line()
    if words := describe_category(whole, translate):
        text.text(words, "warning").line()
    _write_cause(text, places, capture, whole)
    if whole.explanation:
        text.line().text(whole.explanation.strip()).line()
    if whole.hints:
        text.heading(tr("What to do"))
        for hint in whole.hints:
            text.paragraph(RichText().text(f"• {hint.strip()}"))
    if whole.stack:
        text.heading(tr("Where"))
        for location in reversed(whole.stack):
            _write_line(text, places, capture, location)
    _write_stop(text, places, capture, whole)
    if whole.context:
        text.heading(tr("For developers of torch")).text(whole.context.strip(), "mono").line()
    if not whole.explanation or not whole.hints:
        text.heading(tr("What torch said")).code(whole.reason.strip())
    return text, places


def _write_cause(text: RichText, places: list[Place], capture: Capture, item: GraphBreak) -> None:
    """The break that led to this one."""
    cause = next((one for one in capture.breaks if one.id == item.caused_by), None)
    if cause is None:
        return
    text.text(tr("It follows from: "), "dim")
    target = cause.instruction or (capture.place_of(cause.where) if cause.where is not None else None)
    if target:
        places.append(target)
        text.link(describe(cause, translate), len(places) - 1)
    else:
        text.text(describe(cause, translate))
    text.line()


def _write_stop(text: RichText, places: list[Place], capture: Capture, item: GraphBreak) -> None:
    """The instruction, what it called, and what Dynamo held on its stack."""
    code, instruction = _instruction(capture, item)
    if code is None and not item.symbolic_stack:
        return
    text.heading(tr("What Dynamo was doing"))
    rows: list[tuple[RichText | str, RichText]] = []
    if item.instruction is not None and code is not None and instruction is not None:
        places.append(item.instruction)
        spelled = f"{instruction.opname} {instruction.argument}".strip()
        link = RichText().link(spelled, len(places) - 1, "mono")
        rows.append(
            (
                tr("instruction"),
                link.text(
                    tr("  at {offset} of {name}").format(offset=instruction.place, name=code.name), "dim"
                ),
            )
        )
    if item.callee:
        rows.append((tr("calls"), RichText().text(item.callee, "mono")))
    text.rows(rows)
    if item.symbolic_stack:
        text.text(tr("Its stack before that, the top first:"), "dim")
        text.rows((value.kind, _stack_value(value)) for value in reversed(item.symbolic_stack))


def _stack_value(value: StackValue) -> RichText:
    text = RichText().text(value.text, "mono")
    return text.text(tr("  node {node}").format(node=value.node), "dim") if value.node else text


def _instruction(capture: Capture, item: GraphBreak) -> tuple[CodeObject | None, Instruction | None]:
    if item.instruction is None:
        return None, None
    for stage in capture.stages:
        if stage.id == item.instruction.stage and isinstance(stage.content, BytecodeStage):
            code = stage.content.code
            found = (one for one in code.instructions if one.id in item.instruction.nodes)
            return code, next(found, None)
    return None, None


def _write_line(text: RichText, places: list[Place], capture: Capture, location: SourceLine) -> None:
    """A line of the stack, a link where its file was captured."""
    name = location.short
    target = capture.place_of(location)
    if target:
        places.append(target)
        text.link(name, len(places) - 1)
    else:
        text.text(name)
    text.text(f"  {location.function}", "dim").text(f"  {location.text.strip()}", "mono").line()
