"""Kernels that were called, each inside the one that called it, under the line of the user's that made the call."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.panes.dispatcher_pane.key_texts import about_key, about_kind
from app.session.captures.source_lines import short
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width, nested
from compiler.model.ir.graph import SourceLine
from compiler.model.operators.dispatching import DispatchCall

_COLUMNS = (
    Column(tr_noop("Call"), width=270),
    Column(tr_noop("Key"), width=130),
    Column(tr_noop("Kernel"), width=145),
    Column(tr_noop("Registered at"), width=Width.STRETCH),
    Column("µs", width=56, right=True),
)
_TINTS = (
    ("FuncTorch", "edited"),
    ("Autograd", "backward"),
    ("ADInplace", "extern"),
    ("Autocast", "warning"),
    ("PrivateUse", "fused"),
    ("CPU", "forward"),
)


@dataclass(frozen=True)
class _Made:
    """What a row stands for."""

    line: SourceLine | None
    """That made the call."""
    operator: str = ""


class CallTree(RowTable):
    """Rows of a group are made when it is unfolded."""

    line_picked = Signal(object)
    """The SourceLine of the row that was clicked."""
    operator_wanted = Signal(str)
    """The operator of the row that was double-clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter calls: an operator, a key, a file"), parent)
        self.clicked.connect(self._clicked)
        self.activated.connect(self._activated)

    def show_calls(self, calls: tuple[DispatchCall, ...], unfolded: bool = False) -> None:
        """Show these; the groups unfolded or not."""
        self.set_rows([_group(inside, unfolded) for inside in _by_line(calls)])

    def mark(self, line: SourceLine) -> None:
        """Make the group of a line the current one, as a selection elsewhere asks for."""
        if any(self.make_current((line.path, line.line, backward)) for backward in (False, True)):
            self.tree.scrollTo(self.tree.currentIndex(), self.tree.ScrollHint.PositionAtTop)

    def _clicked(self, row: Row) -> None:
        if isinstance(row.value, _Made) and row.value.line is not None:
            self.line_picked.emit(row.value.line)

    def _activated(self, row: Row) -> None:
        if isinstance(row.value, _Made) and row.value.operator:
            self.operator_wanted.emit(row.value.operator)


def _by_line(calls: tuple[DispatchCall, ...]) -> Iterator[tuple[DispatchCall, ...]]:
    """Calls that one line made, with all that they call."""
    pieces: list[list[DispatchCall]] = []
    for call in calls:
        if call.depth == 0 or not pieces:
            pieces.append([])
        pieces[-1].append(call)
    for _, group in groupby(pieces, key=lambda piece: (piece[0].line, piece[0].backward)):
        yield tuple(call for piece in group for call in piece)


def _group(calls: tuple[DispatchCall, ...], unfolded: bool) -> Row:
    first = calls[0]
    line = first.line
    title = Cell(
        _title(line, first.backward),
        tooltip=line.path if line is not None else "",
        color="backward" if first.backward else "accent",
    )
    cells = (title, Cell(), Cell(), Cell(tr("%n call(s)", None, len(calls)), color="dim_text"))
    key = (line.path, line.line, first.backward) if line is not None else first.backward
    return Row(key, cells, value=_Made(line), open=unfolded, later=lambda: _inside(calls, line))


def _inside(calls: tuple[DispatchCall, ...], line: SourceLine | None) -> tuple[Row, ...]:
    return nested((call.depth, _row(call, line)) for call in calls)


def _row(call: DispatchCall, line: SourceLine | None) -> Row:
    cells = (
        Cell(call.operator, tooltip=tr("The kernel was given the keys {keys}").format(keys=call.keys)),
        Cell(call.key, tooltip=about_key(call.key), color=_tint(call.key)),
        Cell(call.kind, tooltip=about_kind(call.kind), color="dim_text"),
        Cell(str(call.place), tooltip=str(call.place), color="dim_text"),
        Cell(
            f"{call.microseconds:,.0f}",
            tooltip=tr("On one thread, with our shims around it and around all it calls"),
            color="dim_text",
        ),
    )
    return Row((call.operator, call.key), cells, value=_Made(line, call.operator), open=True)


def _title(line: SourceLine | None, backward: bool) -> str:
    if line is None:
        return tr("Backward, of no line that is known") if backward else tr("Of no line of the user's")
    text = f"{short(line)}  {line.text}"
    return tr("Backward of {text}").format(text=text) if backward else text


def _tint(key: str) -> str:
    return next((color for name, color in _TINTS if key.startswith(name)), "")
