"""The frames as a story: frame, its graph, the break that ended it, the function that resumed after it."""

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.compiler_texts import translate
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Draft, Row, Width, nested, rows_of
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import Frame, GraphBreak, InlinedCall
from compiler.model.graph_breaks.break_summary import describe, describe_skip, heading, nothing_to_compile
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import StageId, is_number

_COLUMNS = (
    Column(tr_noop("What happened"), width=Width.STRETCH),
    Column(tr_noop("Guards")),
    Column(tr_noop("Where")),
)


class FrameTree(RowTable):
    """Frames nested by what resumed what. Rows that stand for something can be clicked."""

    stage_clicked = Signal(str)
    break_clicked = Signal(str)
    line_clicked = Signal(object)
    """A SourceLine."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter frames"), parent)
        self.row_picked.connect(self._emit_row)

    def show_frames(self, capture: Capture) -> None:
        """Show the frames of a capture: what resumes after a break hangs under that break."""
        breaks = {item.id: item for item in capture.breaks}
        sizes = {stage.id: stage.node_count for stage in capture.stages}
        resumed_at: dict[str, Draft] = {}
        """Frame → the row under which what resumes it hangs."""
        tops: list[Draft] = []
        for frame in capture.frames:
            row, inside = Draft(_frame(frame)), _inside(frame, breaks, sizes)
            row.children += inside
            above = resumed_at.get(frame.parent)
            stops = [draft for draft in inside if _is_resumed(draft.row.value)]
            resumed_at[frame.id] = stops[-1] if stops else row
            (tops if above is None else above.children).append(row)
        self.set_rows(rows_of(tops))

    def _emit_row(self, row: Row) -> None:
        match row.value:
            case str() as stage:
                self.stage_clicked.emit(stage)
            case GraphBreak() as stopped:
                self.break_clicked.emit(stopped.id)
            case SourceLine() as line:
                self.line_clicked.emit(line)


def _is_resumed(value: object) -> bool:
    return isinstance(value, GraphBreak) and not value.skipped_frame


def _frame(frame: Frame) -> Row:
    cells = (
        Cell(_title(frame), color="dim_text" if frame.skip_reason else ""),
        Cell(str(frame.guards or "")),
        Cell(_short(frame.path, frame.line), tooltip=f"{frame.path}:{frame.line}"),
    )
    return Row(frame.id, cells, value=SourceLine(frame.path, frame.line, frame.name), open=True)


def _inside(frame: Frame, breaks: dict[str, GraphBreak], sizes: dict[StageId, int]) -> list[Draft]:
    """What happened in a frame."""
    rows = [
        _note(tr("Compiled again ({index}): {reason}").format(index=index, reason=reason), "warning")
        for index, reason in enumerate(frame.recompile_reasons, 1)
    ]
    rows += [
        _note(tr("Dynamo began again: {reason}").format(reason=reason), "dim_text")
        for reason in frame.restarts
    ]
    if frame.calls:
        rows.append(_calls_of(frame))
    if frame.graph:
        text = tr("Graph {id} with %n node(s)", None, sizes.get(frame.graph, 0)).format(id=frame.id)
        rows.append(Row(frame.graph, (Cell(text, color="accent"),), value=frame.graph))
    rows += [_break(breaks[name], breaks) for name in frame.breaks if name in breaks]
    if frame.skip_reason:
        words = describe_skip(frame.skip_reason, translate) or frame.skip_reason
        lost = "dim_text" if nothing_to_compile(frame.skip_reason) else "warning"
        rows.append(_note(tr("Skipped, runs eagerly: {words}").format(words=words), lost))
    if frame.error:
        rows.append(_note(tr("Failed: {error}").format(error=frame.error), "error"))
    return list(map(Draft, rows))


def _note(text: str, color: str) -> Row:
    return Row(text, (Cell(text.strip().partition("\n")[0], tooltip=text, color=color),))


def _break(stopped: GraphBreak, breaks: dict[str, GraphBreak]) -> Row:
    reported = stopped.where
    line = tr(" at line {line}").format(line=reported.line) if reported is not None else ""
    cause = breaks.get(stopped.caused_by)
    because = (
        tr("\nBecause of: {describe}").format(describe=describe(cause, translate))
        if cause is not None
        else ""
    )
    cells = (
        Cell(
            f"{heading(stopped, translate)}{line}: {describe(stopped, translate)}",
            tooltip=f"{stopped.kind} {stopped.registry_id}{because}\n\n{stopped.reason}",
            color="error",
        ),
        Cell(),
        Cell(_short(reported.path, reported.line) if reported is not None else ""),
    )
    return Row(stopped.id, cells, value=stopped, open=True)


def _calls_of(frame: Frame) -> Row:
    """The calls traced into a frame, folded; their rows are made when they are asked for."""
    count = sum(call.times for call in frame.calls if not call.refused)
    refused = sum(1 for call in frame.calls if call.refused)
    words = [tr("{calls} traced into it").format(calls=_calls(count))] if count else []
    words += [tr("{calls} not taken in").format(calls=_calls(refused))] if refused else []
    return Row("calls", (Cell(", ".join(words), color="dim_text"),), later=lambda: _call_rows(frame.calls))


def _call_rows(calls: Iterable[InlinedCall]) -> tuple[Row, ...]:
    """Each under its caller."""
    return nested((call.depth - 1, _call(call)) for call in calls)


def _call(call: InlinedCall) -> Row:
    times = f" ×{call.times}" if call.times > 1 else ""
    nodes = tr(", %n node(s)", None, call.nodes) if call.nodes else ""
    said = tr(": not taken in, {refused}").format(refused=call.refused) if call.refused else nodes
    cells = (
        Cell(
            f"{call.name}{times}{said}",
            tooltip=f"{call.name}, {call.path}:{call.line}",
            color="warning" if call.refused else "",
        ),
        Cell(),
        Cell(_short(call.caller_path, call.caller_line)),
    )
    line = SourceLine(call.caller_path, call.caller_line, call.name)
    return Row((call.name, call.caller_line), cells, value=line)


def _calls(count: int) -> str:
    return tr("%n call(s)", None, count)


def _short(path: str, line: int) -> str:
    return f"{path.rpartition('/')[2]}:{line}"


def _title(frame: Frame) -> str:
    head, found, line = frame.name.rpartition("_at_")
    if found and is_number(line):
        return tr("{value} resumes after line {line} ({id})").format(
            value=head.removeprefix("torch_dynamo_resume_in_"), line=line, id=frame.id
        )
    return f"{frame.name} ({frame.id})"
