"""Every state that edits led to: what was edited, whether it is compiled, right and faster."""

from collections import Counter

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget

from app.panes.history_pane.verdict_texts import right_text, speed_text, verdict_text
from app.session.facade.session import Session
from app.translation.edit_texts import edit_title
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Draft, Row, Width, rows_of
from compiler.analysis.edits.history_tree import ROOT, EditState, StateId
from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import saved_bytes
from compiler.model.ir.tensor_types import describe_bytes

_NARROW = 520
"""A narrower dock shows what was edited and whether it is right."""
_COLUMNS = (
    Column(tr_noop("Edit"), width=Width.STRETCH, wraps=True),
    Column(tr_noop("State")),
    Column(tr_noop("Right")),
    Column(tr_noop("Speed"), needs=_NARROW),
    Column(tr_noop("Saved"), tr_noop("What all forwards keep for their backwards"), needs=_NARROW),
)


class StateTree(RowTable):
    """Edits one after another stand below one another; where something else was tried, the ways stand side by side,
    indented. A click goes to a state; two chosen with Ctrl are compared.
    """

    compared = Signal(str, str)
    """Two states were chosen, the one made first comes first."""
    compared_no_more = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter edits"), parent)
        self._session = session
        self._at: StateId | None = None
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setIndentation(14)
        self.row_picked.connect(self._go_to)
        self.selection_changed.connect(self._on_selection)
        self.edited.connect(lambda row, name: session.states.name(row.key, name.strip()))
        self.offer_menu(self._fill_menu)

    def fill(self) -> None:
        """Show the session's states."""
        states, made = self._session.states.tree, self._session.states.captures()
        siblings = Counter(state.parent for state in states.states)
        active = {state.id for state in states.path(states.current)}
        start = Draft(self._start(made.get(ROOT), states.current == ROOT))
        tops, drafts = [start], {ROOT: start}
        inside: dict[StateId, Draft] = {}
        """State → the row that its own is inside of."""
        heads: set[StateId] = set()
        for state in states.states:
            undone, at = state.id not in active, state.id == states.current
            row = drafts[state.id] = Draft(self._row(state, made.get(state.id), undone, at))
            if siblings[state.parent] > 1:
                heads.add(state.id)
            if state.id in heads or state.parent in heads:
                inside[state.id] = drafts[state.parent]
            elif state.parent in inside:
                inside[state.id] = inside[state.parent]
            (inside[state.id].children if state.id in inside else tops).append(row)
        self.tree.setRootIsDecorated(any(count > 1 for count in siblings.values()))
        self.set_rows(rows_of(tops))
        if states.current != self._at or not self.selected():
            self._at = states.current
            self.select({states.current})

    def _start(self, made: Capture | None, at: bool) -> Row:
        return Row(ROOT, (Cell(tr("As captured"), bold=at), *self._results(ROOT, made)), open=True)

    def _row(self, state: EditState, made: Capture | None, undone: bool, at: bool) -> Row:
        reported = edit_title(state.edit)
        tip = tr("{reported}\nClick to go to the state right after this edit; right-click for more").format(
            reported=reported
        )
        edit = Cell(
            f"{state.name}: {reported}" if state.name else reported,
            tooltip=tip,
            color="dim_text" if undone else "",
            bold=at,
            edit=state.name,
        )
        return Row(state.id, (edit, *self._results(state.id, made, undone)), open=True)

    def _results(self, state: StateId, made: Capture | None, undone: bool = False) -> tuple[Cell, ...]:
        if made is None:
            if (
                refused := self._session.asking.refused
            ) is not None and state == self._session.states.tree.current:
                return (Cell(tr("recompile failed"), tooltip=refused.message(), color="error"),)
            words = tr("undone") if undone else tr("not compiled")
            return (Cell(words, color="dim_text" if undone else "edited"),)
        words = tr("compiled {seconds:.1f} s") if state else tr("captured {seconds:.1f} s")
        saved, verdict = saved_bytes(made), self._session.verdict_of(made.id)
        right = speed = Cell()
        if state and verdict is not None:
            right, speed = (
                Cell(text, tooltip=verdict_text(verdict))
                for text in (right_text(verdict), speed_text(verdict))
            )
        return (
            Cell(words.format(seconds=made.seconds), color="dim_text" if undone else "good"),
            right,
            speed,
            Cell("" if not saved else describe_bytes(saved)),
        )

    def _go_to(self, row: Row) -> None:
        if not QApplication.keyboardModifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            self._session.states.go_to(_state(row))

    def _on_selection(self) -> None:
        chosen = list(map(_state, self.selected()))
        if len(chosen) == 2:
            order = [ROOT, *(state.id for state in self._session.states.tree.states)]
            self.compared.emit(*sorted(chosen, key=order.index))
        else:
            self.compared_no_more.emit()

    def _fill_menu(self, menu: QMenu, row: Row) -> None:
        states, state = self._session.states, _state(row)
        at = states.tree.current
        menu.addAction(tr("Go to this state")).triggered.connect(lambda: states.go_to(state))
        if state != at:
            menu.addAction(tr("Compare with the active state")).triggered.connect(
                lambda: self.compared.emit(state, at)
            )
        if state != ROOT:
            menu.addAction(tr("Name…")).triggered.connect(lambda: self.begin_edit(state))
            menu.addAction(tr("Drop it and what follows")).triggered.connect(lambda: states.drop(state))


def _state(row: Row) -> StateId:
    return str(row.key)
