"""Every graph break with its reason and what would mend it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QWidget,
)

from app.panes.breaks_pane.details import break_details
from app.panes.breaks_pane.ranked_list import RankedList
from app.panes.breaks_pane.remedy_list import RemedyList
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.labels.link_label import LinkLabel
from app.widgets.layouts.boxes import Room, as_widget, column_of, scroll_of, set_column, split_of
from app.widgets.line_menu import offer_lines
from app.widgets.tables.rows import Row
from compiler.analysis.remedies import remedies_for, remedy_faults
from compiler.model.capture.capture import Capture
from compiler.model.capture.front_ends import DYNAMO, front_end_named
from compiler.model.graph_breaks.ranked_breaks import RankedBreak, break_place, ranked_breaks
from compiler.model.ir.ids import NOWHERE, Place


class BreaksPane(QWidget):
    """Picking a break selects the instruction Dynamo stopped at; a selection elsewhere finds its break here."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("breaks_pane")
        self._session = session
        self._places: list[Place] = []
        self._pinned = NOWHERE
        self.list = RankedList(self)
        self.remedies = RemedyList(self)
        self.details = LinkLabel(self, margin=8)
        self.none = EmptyState(tr("No graph breaks"), "", self)
        holder = as_widget(column_of(self.remedies, self.details, Room(), margins=0), self)
        scrolled = scroll_of(holder, tr("About the break"), self, sideways=False)
        self._split = split_of(self.list, scrolled, parent=self)
        scrolled.setMinimumWidth(200)
        self._split.setSizes([400, 500])
        set_column(self, self._split, self.none, margins=(4, 4, 4, 0))
        self.list.current_changed.connect(self._show_details)
        self.list.picked.connect(self._picked)
        offer_lines(self.list.table, _file_line, session.editor.open)
        self.list.measure_wanted.connect(session.breaks.measure)
        self.remedies.chosen.connect(
            lambda remedy: session.trials.choose(remedy, offered_by="breaks")  # the next break is there
        )
        self.details.link_clicked.connect(lambda number: self._select(self._places[number]))
        session.capture_changed.connect(self.fill)
        session.breaks.changed.connect(self.fill)
        session.breaks.wanted.connect(self._make_current)
        session.selection.changed.connect(self._follow_selection)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the breaks of the session's capture."""
        capture = self._session.capture
        questions = self._session.breaks
        rows = ranked_breaks(capture, questions.found) if capture is not None else ()
        self.list.show_breaks(rows, self._session.changes.new_breaks(capture))
        self.list.show_costs(questions.found, questions.searching, self._session.why_not_run)
        rows = self.list.rows
        self._split.setVisible(bool(rows))
        self.none.setVisible(not rows)
        self.none.show_text(*_nothing(capture, self._session.early.shown is None))
        if rows:
            self._pinned = NOWHERE
            self._follow_selection(None)

    def sizeHint(self) -> QSize:
        return QSize(560, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side in a wide dock, one above the other in a narrow one."""
        super().resizeEvent(event)
        wide = self.width() > 560
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _show_details(self) -> None:
        capture, item = self._session.capture, self.list.current
        if capture is not None and item is not None:
            self.remedies.show_remedies(remedies_for(capture, item.first))
            for fault in remedy_faults():
                if fault not in self._session.problems:
                    self._session.report(fault)
            text, self._places = break_details(capture, item)
            self.details.set_content(text)

    def _picked(self) -> None:
        capture, item = self._session.capture, self.list.current
        if capture is not None and item is not None:
            self._select(break_place(capture, item))

    def _select(self, location: Place) -> None:
        if location:
            self._session.selection.select(location, self)

    def _make_current(self, break_id: str) -> None:
        for row in self.list.rows:
            if any(item.id == break_id for item in row.breaks):
                self.list.table.make_current(row.first.id)
                return

    def _follow_selection(self, sender: object) -> None:
        """Make the break current that the pinned instruction or line belongs to."""
        capture, pinned = self._session.capture, self._session.selection.pinned
        moved, self._pinned = pinned != self._pinned, pinned
        if sender is self or capture is None or not pinned or not moved:
            return
        for item in self.list.rows:
            line = capture.place_of(item.location) if item.location is not None else None
            locations = [*item.places, line]
            if any(
                location and location.stage == pinned.stage and set(location.nodes) & set(pinned.nodes)
                for location in locations
            ):
                self.list.table.make_current(item.first.id)
                return


def _file_line(row: Row) -> tuple[str, int] | None:
    line = row.value.first.where if isinstance(row.value, RankedBreak) else None
    return (line.path, line.line) if line is not None else None


def _nothing(capture: Capture | None, finished: bool) -> tuple[str, str]:
    """What to say where there are no breaks."""
    if capture is None:
        return tr("No program captured yet"), tr(
            "Graph breaks and the frames of a captured program are listed here."
        )
    if capture.spec.front_end != DYNAMO:
        front_end = front_end_named(capture.spec.front_end)
        return tr("Captured with {title}").format(title=front_end.title), tr(
            "Only torch.compile breaks graphs. {lesson}"
        ).format(lesson=front_end.lesson)
    graphs = len(capture.graphs_that_run())
    if graphs == 0:
        return tr("No graph was made"), tr(
            "Dynamo captured nothing of this program; the page Frames says why."
        )
    if not finished:
        return tr("No graph breaks so far"), tr("The program is still being compiled.")
    return tr("No graph breaks: the whole program is %n graph(s)", None, graphs), tr(
        "Dynamo traced it without stopping."
    )
