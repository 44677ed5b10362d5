"""Every recompile with all guards that failed, and two compiles beside each other."""

from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from app.panes.guards_pane.comparing import differences, earlier_compiles
from app.session.captures.source_lines import short
from app.session.comparison.rows import Difference
from app.translation.texts import tr, tr_noop
from app.widgets.difference_tree import DifferenceTree
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import as_widget, column_of, row_of, split_of
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.capture.capture import Capture
from compiler.model.capture.guards import FailedGuard, RecompileRecord, TriedEntry
from compiler.model.ir.graph import SourceLine

_NARROW = 900
_COLUMNS = (Column(tr_noop("Compiled again, since"), width=Width.STRETCH), Column(tr_noop("Line")))


@dataclass(frozen=True)
class _Stands:
    """What a row stands for."""

    compile_id: str
    tried: str = ""
    """The compile that did not fit."""
    line: SourceLine | None = None


class RecompilePage(QWidget):
    """Left: what was compiled again and why. Right: what is different in it."""

    line_clicked = Signal(object)
    """A SourceLine."""
    place_clicked = Signal(object)
    """A Place: a node or a kernel that differs."""
    graphs_wanted = Signal(str, str)
    """Two compile ids."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._capture: Capture | None = None
        self.list = RowTable(_COLUMNS, tr("Filter recompiles"), self)
        self.before = QComboBox(self)
        self.before.setAccessibleName(tr("Compared compile"))
        self.after = QComboBox(self)
        self.after.setAccessibleName(tr("With this compile"))
        self.diff = DifferenceTree(self)
        self.diff.row_clicked.connect(self._row_clicked)
        top = row_of(QLabel(tr("Compare"), self), self.before, QLabel(tr("with"), self), self.after)
        self.graphs = QPushButton(tr("Compare graphs"), self)
        self.graphs.setToolTip(
            tr("Lay the Dynamo graphs of both compiles beside each other, drawn and as text")
        )
        top.addWidget(self.graphs)
        top.addStretch(1)
        right = as_widget(column_of(top, (self.diff, 1), margins=0, spacing=2), self)
        self._split = split_of(self.list, right, parent=self, sizes=(420, 480))
        self.none = EmptyState(tr("No recompiles"), "", self)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(4, 4, 4, 0)
        self._stack.addWidget(self._split)
        self._stack.addWidget(self.none)
        self.list.current_changed.connect(self._compare_current)
        self.list.row_picked.connect(self._go_to_line)
        self.graphs.clicked.connect(
            lambda: self.graphs_wanted.emit(self.before.currentText(), self.after.currentText())
        )
        self.before.currentIndexChanged.connect(self._compare)
        self.after.currentIndexChanged.connect(self._compare)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock a click still leads to the line, whose name would leave no room for the reason."""
        super().resizeEvent(event)
        self.list.leave_out({1} if self.width() < _NARROW else ())

    def show_capture(self, capture: Capture | None) -> None:
        """Show the recompiles of a capture."""
        self._capture = capture
        records = capture.recompiles if capture is not None else ()
        self._stack.setCurrentWidget(self._split if records else self.none)
        self.none.show_text(*_nothing(capture))
        self.list.set_rows([_record(record) for record in records])
        if self.list.current() is not None:
            self._compare_current(self.list.current())
        elif records:
            self.list.make_current(records[0].compile_id)

    def _go_to_line(self, row: Row) -> None:
        if isinstance(row.value, _Stands) and row.value.line is not None:
            self.line_clicked.emit(row.value.line)

    def _compare_current(self, row: Row | None) -> None:
        picked = row.value if row is not None else None
        if not isinstance(picked, _Stands) or self._capture is None:
            return
        compile_id, tried = picked.compile_id, picked.tried
        ids = earlier_compiles(self._capture, compile_id)
        at = ids.index(compile_id) if compile_id in ids else len(ids) - 1
        wanted = (tried if tried in ids else ids[max(at - 1, 0)] if ids else "", compile_id)
        for combo, name in zip((self.before, self.after), wanted, strict=True):
            combo.blockSignals(True)
            combo.clear()
            combo.addItems(list(ids))
            combo.setCurrentIndex(combo.findText(name))
            combo.blockSignals(False)
        self._compare()

    def _compare(self) -> None:
        before, after = self.before.currentText(), self.after.currentText()
        if self._capture is None or not before or not after:
            self.diff.set_rows(())
            return
        self.diff.show_groups(differences(self._capture, before, after), before, after)

    def _row_clicked(self, row: Difference) -> None:
        if row.location:
            self.place_clicked.emit(row.location)


def _record(record: RecompileRecord) -> Row:
    stands = _Stands(record.compile_id)
    inside = [_tried(entry, record.compile_id) for entry in record.entries]
    if record.note:
        inside.insert(0, Row("note", (Cell(record.note),), value=stands))
    title = f"{record.name} ({record.compile_id})"
    return Row(record.compile_id, (Cell(title),), tuple(inside), value=stands, open=True)


def _tried(entry: TriedEntry, compile_id: str) -> Row:
    stands = _Stands(compile_id, entry.compile_id)
    title = tr("{compile_id} did not fit: {how_many}").format(
        compile_id=entry.compile_id, how_many=_how_many(entry)
    )
    inside = [_failed(failed, stands) for failed in entry.failed]
    if entry.note or not entry.failed:
        text = "; ".join(entry.reasons) if not entry.failed else entry.note
        inside.append(Row("note", (Cell(text),), value=stands))
    key = ("tried", entry.compile_id)
    return Row(key, (Cell(title, color="dim_text"),), tuple(inside), value=stands, open=True)


def _failed(failed: FailedGuard, stands: _Stands) -> Row:
    tip = tr("{kind} on {source}\n{code}\n{reason}").format(
        kind=failed.kind, source=failed.source, code=failed.code, reason=failed.reason
    )
    cells = (Cell(failed.reason, tooltip=tip), Cell(short(failed.line), color="accent"))
    why = tuple(
        Row(
            fixed.why,
            (Cell(fixed.why), Cell(short(fixed.line), color="accent")),
            value=replace(stands, line=fixed.line),
        )
        for fixed in failed.fixed
    )
    return Row((failed.code, failed.reason), cells, why, value=replace(stands, line=failed.line), open=True)


def _how_many(entry: TriedEntry) -> str:
    count = len(entry.failed)
    return tr("%n guard(s) fail", None, count) if count else tr("no guard fails now")


def _nothing(capture: Capture | None) -> tuple[str, str]:
    if capture is None:
        return tr("No program captured yet"), tr("Frames that were compiled more than once are listed here.")
    return tr("No recompiles: every frame was compiled once"), tr(
        "The tester says which inputs would change that."
    )
