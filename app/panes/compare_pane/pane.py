"""The compare pane: two sides chosen, what differs in words, one or two drawings, and both programs, linked."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QWidget,
)

from app.panes.compare_pane.drawing import Drawing
from app.panes.compare_pane.places import Places
from app.panes.compare_pane.side_chooser import SideChooser
from app.panes.compare_pane.text_view import TextView
from app.session.comparison.sides import Side
from app.session.facade.session import Session
from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.empty_state import EmptyState
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import row_of, set_column, set_pages, split_of
from compiler.model.ir.ids import NOWHERE, NodeId, place

_WIDE = 900
_WAITING_MS = 100


class ComparePane(QWidget):
    """Follows the session's comparison. Selecting here selects everywhere, where a side is of the capture shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compare_pane")
        self._session = session
        self._comparison = session.comparison
        self._places = Places(None)
        self._at = -1
        self._stale = False
        self._selected: frozenset[NodeId] = frozenset()
        self._build()
        self._connect()
        self._dress()
        self._fill_choosers()
        self._show()

    def _build(self) -> None:
        self.before = SideChooser(tr("Before"), self._comparison, self)
        self.after = SideChooser(tr("After"), self._comparison, self)
        self.swap = tool_button(self, "⇄", tr("Exchange the two sides"))
        self._choosers = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._choosers.setSpacing(4)
        self._choosers.addWidget(self.before, 1)
        self._choosers.addWidget(self.swap)
        self._choosers.addWidget(self.after, 1)
        self.words = ElidedLabel("", self)
        self.words.setFont(fonts.interface(bold=True))
        self.previous = tool_button(self, "‹", tr("The difference before (Shift+N)"))
        self.count = QLabel(self)
        self.next = tool_button(self, "›", tr("The next difference (N)"))
        self.two = tool_button(
            self, tr("Two drawings"), tr("One drawing of each side instead of one of both")
        )
        self.fold = tool_button(
            self, tr("Fold equal"), tr("Fold what is equal and far from every difference")
        )
        self.text_shown = tool_button(self, tr("Text"), tr("The programs beside the drawing"))
        for switch in (self.two, self.fold, self.text_shown):
            switch.setCheckable(True)
        self.fold.setChecked(True)
        self.text_shown.setChecked(True)
        bar = row_of(
            (self.words, 1),
            self.previous,
            self.count,
            self.next,
            self.two,
            self.fold,
            self.text_shown,
            spacing=4,
        )
        self.around = ElidedLabel("", self)
        self.around.setEnabled(False)
        self.drawing = Drawing(self)
        self.text = TextView(self)
        self.split = split_of(self.drawing, self.text, parent=self, sizes=(450, 550))
        self.empty = EmptyState("", "", self)
        self._body = QWidget(self)
        self._stack = set_pages(self._body, self.empty, self.split)
        self.waiting = QLabel(tr("Comparing…"), self._body)
        self.waiting.hide()
        self._waiting = QTimer(self, interval=_WAITING_MS)
        self._waiting.timeout.connect(self._show_step)
        set_column(self, self._choosers, bar, self.around, (self._body, 1), margins=(8, 5, 8, 0), spacing=4)

    def _connect(self) -> None:
        comparison, session = self._comparison, self._session
        self.before.chosen.connect(lambda side: self._choose(side, None))
        self.after.chosen.connect(lambda side: self._choose(None, side))
        self.before.file_chosen.connect(lambda path: comparison.open_file(path, is_before=True))
        self.after.file_chosen.connect(lambda path: comparison.open_file(path, is_before=False))
        self.swap.clicked.connect(self._swap)
        self.previous.clicked.connect(lambda: self.walk(-1))
        self.next.clicked.connect(lambda: self.walk(1))
        self.two.toggled.connect(self._on_two)
        self.fold.toggled.connect(self._on_fold)
        self.text_shown.toggled.connect(self.text.setVisible)
        self.drawing.nodes_clicked.connect(self._on_drawing)
        self.text.nodes_clicked.connect(lambda nodes: self._select(frozenset(nodes), self.text))
        comparison.changed.connect(self._on_compared)
        comparison.slow.connect(self._show_waiting)
        session.capture_changed.connect(self._on_capture)
        session.edits_changed.connect(self._fill_choosers)
        session.changes.changed.connect(self._fill_choosers)
        session.selection.changed.connect(self._on_selection)
        current.signals().changed.connect(self._dress)
        for widget in (*self.drawing.views, self.text.list):
            widget.installEventFilter(self)

    # -- for tests and pictures --------------------------------------------------------------------------------

    def is_idle(self) -> bool:
        """Whether what was asked for is on show."""
        return not self._comparison.busy and not self.drawing.busy

    @property
    def selected(self) -> frozenset[NodeId]:
        """Names in the merged drawing."""
        return self._selected

    def walk(self, direction: int) -> None:
        """Select the next (1) or previous (-1) place where the sides differ; after the last comes the first."""
        places = self._places.differing
        if not places:
            return
        self._at = (self._at + direction) % len(places) if self._at >= 0 or direction > 0 else len(places) - 1
        found = places[self._at]
        self.text.reveal(found.first)
        self._select(found.nodes, self.text)
        self._show_count()

    # -- what is shown -----------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """The first time something is chosen already: the stage in front with what it is most likely to be compared to."""
        super().showEvent(event)
        stage = self._session.stage
        if self._comparison.sides is None and stage is not None:
            self._comparison.choose_likely(stage.id)
            self._fill_choosers()
        elif self._stale:
            self._comparison.refresh()
        self._stale = False

    def closeEvent(self, event: QCloseEvent) -> None:
        self.drawing.stop()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside one another in a wide pane, else one above the other."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        self._choosers.setDirection(
            QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        )
        self.swap.setVisible(wide)
        upright = not wide and self.height() > self.width()
        self.split.setOrientation(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)

    def _fill_choosers(self) -> None:
        sides = self._comparison.sides or (None, None)
        self.swap.setEnabled(sides[0] != sides[1])
        self.before.show_side(sides[0])
        self.after.show_side(sides[1])

    def _choose(self, before: Side | None, after: Side | None) -> None:
        sides = self._comparison.sides
        if sides is not None:
            self._comparison.choose(before or sides[0], after or sides[1])
            self._fill_choosers()

    def _swap(self) -> None:
        if self._comparison.sides is not None:
            before, after = self._comparison.sides
            self._choose(after, before)

    def _on_capture(self) -> None:
        """What is compared may be another by now; where nobody looks, that waits."""
        self._stale = not self.isVisible()
        if not self._stale:
            self._comparison.refresh()
        self._fill_choosers()

    def _on_compared(self) -> None:
        self.waiting.hide()
        self._waiting.stop()
        self._places = Places(self._comparison.result)
        self._at = -1
        self._fill_choosers()
        self._show()
        self._on_selection(None)

    def _show(self) -> None:
        result = self._comparison.result
        for widget in (self.previous, self.count, self.next, self.two, self.fold, self.text_shown):
            widget.setVisible(result is not None)
        self.around.setVisible(result is not None and bool(result.around))
        if result is None:
            headline = tr("Nothing compared yet") if not self._comparison.fault else tr("Nothing to compare")
            text = self._comparison.fault or tr(
                "Choose two sides above, or Compare with… in the menu of a stage."
            )
            if self._session.capture is None:
                text = tr("Any two graphs can be laid beside each other here once a program is captured.")
            self.words.setText("")
            self.empty.show_text(headline, text)
            self._stack.setCurrentWidget(self.empty)
            return
        self._stack.setCurrentWidget(self.split)
        self.words.setText(result.words)
        self.words.setToolTip(result.words)
        self.around.setText(tr("Captures: {around}").format(around=result.around))
        self.around.setToolTip(result.around)
        drawn = result.merged is not None
        self.drawing.setVisible(drawn)
        self.two.setEnabled(drawn)
        self.text.setVisible(self.text_shown.isChecked() or not drawn)
        self.text_shown.setEnabled(drawn)
        self.drawing.show_compared(result, self.fold.isChecked())
        self.text.show_compared(result, self._places, self.fold.isChecked())
        self._show_count()

    def _on_fold(self) -> None:
        self._show()
        self._mark(self._selected, None)

    def _on_two(self, on: bool) -> None:
        self.drawing.two = on

    def _show_count(self) -> None:
        total = len(self._places.differing)
        self.count.setText(
            tr("{value} of {total}").format(value=self._at + 1, total=total)
            if self._at >= 0
            else tr("%n place(s)", None, total)
        )
        for button in (self.previous, self.next):
            button.setEnabled(total > 0)

    def _show_waiting(self) -> None:
        self._waiting.start()
        self._show_step()
        self.waiting.show()
        self.waiting.raise_()

    def _show_step(self) -> None:
        if not self._comparison.busy:  # begun again, or given up
            self._waiting.stop()
            self.waiting.hide()
        self.waiting.setText(tr("Comparing: {step}… · Esc stops").format(step=self._comparison.step))
        self.waiting.adjustSize()
        self.waiting.move((self._body.width() - self.waiting.width()) // 2, 24)

    def _dress(self) -> None:
        colors = current.colors()
        self.waiting.setStyleSheet(
            f"color: {colors.dim_text}; background: {colors.panel}; border: 1px solid {colors.line};"
            "border-radius: 6px; padding: 6px 12px;"
        )
        self.drawing.dress()
        self.text.list.viewport().update()

    # -- selecting ---------------------------------------------------------------------------------------------

    def _on_drawing(self, nodes: tuple[NodeId, ...], add: bool) -> None:
        self._select(self._selected ^ set(nodes) if add else frozenset(nodes), self.drawing)

    def _select(self, nodes: frozenset[NodeId], sender: QWidget) -> None:
        """Mark nodes in drawing and text, and select them in the session where they are of the capture shown."""
        self._mark(nodes, sender)
        location = NOWHERE
        for side, names in self._sides_of(nodes):
            if names and self._is_shown(side):
                location = place(side.stage, *self._end_names(side, names))
                break
        if location or self._session.selection.pinned:
            self._session.selection.select(location, self)

    def _mark(self, nodes: frozenset[NodeId], sender: QWidget | None) -> None:
        self._selected = nodes
        self.drawing.set_pinned(nodes, reveal=sender is not self.drawing)
        self.text.set_pinned(nodes)
        row = self._places.row_of(nodes)
        if row is not None and sender is not self.text:
            self.text.reveal(row)

    def _on_selection(self, sender: object) -> None:
        """What is selected elsewhere is marked here, on whichever side it is."""
        if sender is self:
            return
        sides = self._comparison.sides
        if sides is None or self._comparison.result is None:
            return
        found: set[NodeId] = set()
        for side, own in zip(sides, (self._places.from_before, self._places.from_after), strict=True):
            if self._is_shown(side):
                names = self._names_at(side, self._session.selection.pinned_in(side.stage))
                found |= {own[name] for name in names if name in own}
        if found != self._selected:
            self._mark(frozenset(found), None)

    def _sides_of(self, nodes: frozenset[NodeId]) -> tuple[tuple[Side, tuple[NodeId, ...]], ...]:
        """The nodes as they are called on either side, the side after first."""
        sides = self._comparison.sides
        if sides is None:
            return ()
        before, after = self._places.names(nodes)
        return (sides[1], after), (sides[0], before)

    def _is_shown(self, side: Side) -> bool:
        capture = self._session.capture
        return capture is not None and self._comparison.choices.shown_capture(side) == capture.id

    def _end_names(self, side: Side, names: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
        """Nodes after a pass as they are called in the stage itself."""
        replay = self._comparison.choices.replay(side) if side.position is not None else None
        if replay is None or side.position is None:
            return names
        return replay.went_to(names, side.position, len(replay.steps)) or names

    def _names_at(self, side: Side, names: frozenset[NodeId]) -> frozenset[NodeId]:
        replay = self._comparison.choices.replay(side) if side.position is not None and names else None
        if replay is None or side.position is None:
            return names
        return frozenset(replay.went_to(names, len(replay.steps), side.position))

    # -- keys --------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """N is the window's key for the next stage; in here it is the next difference. Esc stops what goes on first."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            stops = event.key() == Qt.Key.Key_Escape and not self.is_idle()
            if stops or _direction(event):
                event.accept()
                return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and self._on_key(event):
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._on_key(event):
            super().keyPressEvent(event)

    def _stop(self) -> bool:
        if self._comparison.busy:
            self._comparison.give_up()
            return True
        return self.drawing.give_up()

    def _on_key(self, event: QKeyEvent) -> bool:
        if direction := _direction(event):
            self.walk(direction)
            return True
        if event.key() == Qt.Key.Key_Escape:
            return self._stop()
        front = self.drawing.front()
        keys = {
            Qt.Key.Key_Space: front.fit,
            Qt.Key.Key_F: front.fit,
            Qt.Key.Key_Plus: front.zoom_in,
            Qt.Key.Key_Equal: front.zoom_in,
            Qt.Key.Key_Minus: front.zoom_out,
        }
        action = (
            keys.get(Qt.Key(event.key()))
            if not event.modifiers() & Qt.KeyboardModifier.ControlModifier
            else None
        )
        if action is not None:
            action()
        return action is not None


def _direction(event: QKeyEvent) -> int:
    """Whether a key leads to the next difference (1), the one before (-1), or nowhere (0)."""
    shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    others = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    if event.key() not in (Qt.Key.Key_N, Qt.Key.Key_F3) or others != Qt.KeyboardModifier.NoModifier:
        return 0
    return -1 if shift else 1
