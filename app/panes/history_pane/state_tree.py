"""Every state that edits led to: what was edited, whether it is compiled, right and faster."""

from collections import Counter

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.history_pane.verdict_texts import right_text, speed_text, verdict_text
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.filter_tree import FilterTree
from compiler.analysis.edits.history_tree import ROOT, EditState, StateId
from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import saved_bytes
from compiler.model.edits.edits import describe_edit
from compiler.model.ir.tensor_types import describe_bytes

_STATE_ROLE = int(Qt.ItemDataRole.UserRole)
_EDIT, _STATE, _RIGHT, _SPEED, _SAVED = range(5)
_NARROW = 430


class StateTree(QWidget):
    """Edits one after another stand below one another; where something else was tried, the ways stand side by side,
    indented. A click goes to a state; two chosen with Ctrl are compared.
    """

    compared = Signal(str, str)
    """Two states were chosen, the one made first comes first."""
    compared_no_more = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows = FilterTree(
            (tr("Edit"), tr("State"), tr("Right"), tr("Speed"), tr("Saved")), tr("Filter edits"), self
        )
        self.tree = self.rows.tree
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setIndentation(14)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.headerItem().setToolTip(_SAVED, tr("What all forwards keep for their backwards"))
        self.rows.stretch_column(_EDIT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.rows)
        self.tree.itemClicked.connect(self._on_click)
        self.tree.itemActivated.connect(self._on_click)
        self.tree.itemSelectionChanged.connect(self._on_selection)
        self.tree.itemChanged.connect(self._on_renamed)
        self.tree.customContextMenuRequested.connect(self._show_menu)

    def fill(self) -> None:
        """Show the session's states."""
        states, made = self._session.states.tree, self._session.states.captures()
        siblings = Counter(state.parent for state in states.states)
        in_force = {state.id for state in states.path(states.current)}
        self.tree.blockSignals(True)
        self.tree.clear()
        start = QTreeWidgetItem([tr("As captured")])
        start.setData(_EDIT, _STATE_ROLE, ROOT)
        self.tree.addTopLevelItem(start)
        self._tell_results(start, ROOT, made.get(ROOT))
        rows = {ROOT: start}
        heads: set[StateId] = set()
        for state in states.states:
            row = self._row(state, made.get(state.id), state.id in in_force)
            if siblings[state.parent] > 1:
                heads.add(state.id)
            if state.id in heads or state.parent in heads:
                rows[state.parent].addChild(row)
            elif (above := rows[state.parent].parent()) is not None:
                above.addChild(row)
            else:
                self.tree.addTopLevelItem(row)
            rows[state.id] = row
        self.tree.expandAll()
        self.tree.setRootIsDecorated(any(count > 1 for count in siblings.values()))
        at = rows[states.current]
        font = at.font(_EDIT)
        font.setBold(True)
        at.setFont(_EDIT, font)
        self.tree.setCurrentItem(at)
        self.tree.blockSignals(False)
        self.rows.apply_filter()

    def resizeEvent(self, event: object) -> None:
        """A narrow dock shows what was edited and whether it is right."""
        for column in (_SPEED, _SAVED):
            self.tree.setColumnHidden(column, self.width() < _NARROW)
        super().resizeEvent(event)  # type: ignore[arg-type]

    def _row(self, state: EditState, made: Capture | None, in_force: bool) -> QTreeWidgetItem:
        colors = current.colors()
        reported = describe_edit(state.edit)
        row = QTreeWidgetItem([f"{state.name}: {reported}" if state.name else reported])
        row.setData(_EDIT, _STATE_ROLE, state.id)
        row.setToolTip(
            _EDIT,
            tr("{reported}\nClick to go to the state right after this edit; right-click for more").format(
                reported=reported
            ),
        )
        row.setFlags(row.flags() | Qt.ItemFlag.ItemIsEditable)
        if not in_force:
            row.setForeground(_EDIT, QBrush(QColor(colors.dim_text)))
        self._tell_results(row, state.id, made, undone=not in_force)
        return row

    def _tell_results(
        self, row: QTreeWidgetItem, state: StateId, made: Capture | None, undone: bool = False
    ) -> None:
        colors = current.colors()
        if made is None:
            row.setText(_STATE, tr("undone") if undone else tr("not compiled"))
            row.setForeground(_STATE, QBrush(QColor(colors.dim_text if undone else colors.edited)))
            return
        row.setText(
            _STATE,
            (tr("compiled {seconds:.1f} s") if state else tr("captured {seconds:.1f} s")).format(
                seconds=made.seconds
            ),
        )
        row.setForeground(_STATE, QBrush(QColor(colors.dim_text if undone else colors.good)))
        saved, verdict = saved_bytes(made), self._session.verdict_of(made.id)
        row.setText(_SAVED, "" if not saved else describe_bytes(saved))
        if state and verdict is not None:
            row.setText(_RIGHT, right_text(verdict))
            row.setText(_SPEED, speed_text(verdict))
            for column in (_RIGHT, _SPEED):
                row.setToolTip(column, verdict_text(verdict))

    def _on_click(self, item: QTreeWidgetItem) -> None:
        if not QApplication.keyboardModifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            self._session.states.go_to(item.data(_EDIT, _STATE_ROLE))

    def _on_selection(self) -> None:
        chosen = [item.data(_EDIT, _STATE_ROLE) for item in self.tree.selectedItems()]
        if len(chosen) == 2:
            order = [ROOT, *(state.id for state in self._session.states.tree.states)]
            self.compared.emit(*sorted(chosen, key=order.index))
        else:
            self.compared_no_more.emit()

    def _show_menu(self, location: QPoint) -> None:
        item = self.tree.itemAt(location)
        if item is None:
            return
        state: StateId = item.data(_EDIT, _STATE_ROLE)
        menu = QMenu(self.tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Go to this state")).triggered.connect(lambda: self._session.states.go_to(state))
        at = self._session.states.tree.current
        if state != at:
            menu.addAction(tr("Compare with the active state")).triggered.connect(
                lambda: self.compared.emit(state, at)
            )
        if state != ROOT:
            menu.addAction(tr("Name…")).triggered.connect(lambda: self._rename(item))
            menu.addAction(tr("Drop it and what follows")).triggered.connect(
                lambda: self._session.states.drop(state)
            )
        menu.popup(self.tree.viewport().mapToGlobal(location))

    def _rename(self, item: QTreeWidgetItem) -> None:
        state = self._session.states.tree.state(item.data(_EDIT, _STATE_ROLE))
        self.tree.blockSignals(True)
        item.setText(_EDIT, state.name)
        self.tree.blockSignals(False)
        self.tree.editItem(item, _EDIT)

    def _on_renamed(self, item: QTreeWidgetItem, column: int) -> None:
        state: StateId = item.data(_EDIT, _STATE_ROLE)
        if column == _EDIT and state != ROOT:
            reported = describe_edit(self._session.states.tree.state(state).edit)
            name = item.text(_EDIT).removesuffix(reported).strip().removesuffix(":").strip()
            self._session.states.name(state, name)
