"""Every graph break with its reason, and the frames they tore apart."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panes.breaks_pane.details import break_details
from app.panes.breaks_pane.frame_tree import FrameTree
from app.panes.breaks_pane.merging import MergedBreak, break_place, line_place, merged_breaks
from app.session.session import Session
from app.theme import current
from app.widgets.empty_state import EmptyState
from app.widgets.filter_tree import FilterTree
from app.widgets.link_label import LinkLabel
from compiler.model.capture import Capture
from compiler.model.graph import SourceLine
from compiler.model.ids import NOWHERE, Place
from compiler.model.stage import StageKind

_KIND, _ID, _WHERE, _COUNT = range(4)


class BreaksPane(QWidget):
    """Picking a break selects the instruction Dynamo stopped at; a selection elsewhere finds its break here."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("breaks_pane")
        self._session = session
        self._breaks: list[MergedBreak] = []
        self._places: list[Place] = []
        self._pinned = NOWHERE
        self.list = FilterTree(("Kind", "Id", "Line", "Met"), "Filter breaks", self)
        self.list.tree.setRootIsDecorated(False)
        self.list.stretch_column(_KIND)
        self.details = LinkLabel(self, margin=8)
        self.none = EmptyState("No graph breaks", "", self)
        self.frames = FrameTree(self)
        scrolled = QScrollArea(self)
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        holder = QWidget(self)
        inside = QVBoxLayout(holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.details)
        inside.addStretch(1)
        scrolled.setWidget(holder)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._split.addWidget(self.list)
        self._split.addWidget(scrolled)
        self._split.setChildrenCollapsible(False)
        scrolled.setMinimumWidth(200)
        self._split.setSizes([400, 500])
        self._breaks_page = QWidget(self)
        page = QVBoxLayout(self._breaks_page)
        page.setContentsMargins(4, 4, 4, 0)
        page.addWidget(self._split)
        page.addWidget(self.none)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._breaks_page, "Graph breaks")
        self.tabs.addTab(self.frames, "Frames")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.tabs)
        self.list.tree.currentItemChanged.connect(self._show_details)
        self.list.tree.itemClicked.connect(self._picked)
        self.list.tree.itemActivated.connect(self._picked)
        self.details.link_clicked.connect(lambda number: self._select(self._places[number]))
        self.frames.stage_clicked.connect(session.show_stage)
        self.frames.break_clicked.connect(self._frame_break_clicked)
        self.frames.line_clicked.connect(self._line_clicked)
        session.capture_changed.connect(self.fill)
        session.selection.changed.connect(self._follow_selection)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the breaks and frames of the session's capture."""
        capture = self._session.capture
        self._breaks = merged_breaks(capture) if capture is not None else []
        self._split.setVisible(bool(self._breaks))
        self.none.setVisible(not self._breaks)
        self.none.tell(*_nothing(capture))
        tree = self.list.tree
        tree.clear()
        for item in self._breaks:
            row = QTreeWidgetItem([item.first.kind, item.first.registry_id, item.where, f"{item.count}×"])
            row.setToolTip(_KIND, item.first.explanation or item.first.reason)
            row.setTextAlignment(_COUNT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            tree.addTopLevelItem(row)
        self.list.apply_filter()
        self.tabs.setTabText(0, f"Graph breaks ({len(self._breaks)})" if self._breaks else "Graph breaks")
        self.tabs.setTabText(1, f"Frames ({len(capture.frames)})" if capture is not None else "Frames")
        if capture is not None:
            self.frames.show_frames(capture)
        if self._breaks:
            self.list.make_current(0)
            self._pinned = NOWHERE
            self._follow_selection(None)

    def sizeHint(self) -> QSize:
        return QSize(560, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side in a wide dock, one above the other in a narrow one."""
        super().resizeEvent(event)
        wide = self.width() > 560
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _row_of(self, item: QTreeWidgetItem | None) -> MergedBreak | None:
        index = self.list.tree.indexOfTopLevelItem(item) if item is not None else -1
        return self._breaks[index] if index >= 0 else None

    def _show_details(self) -> None:
        capture, item = self._session.capture, self._row_of(self.list.tree.currentItem())
        if capture is not None and item is not None:
            text, self._places = break_details(capture, item)
            self.details.set_content(text)

    def _picked(self) -> None:
        capture, item = self._session.capture, self._row_of(self.list.tree.currentItem())
        if capture is not None and item is not None:
            self._select(break_place(capture, item))

    def _select(self, spot: Place) -> None:
        if spot:
            self._session.selection.select(spot, self)

    def _frame_break_clicked(self, break_id: str) -> None:
        """Show the break in the list as well, and go to where it is."""
        capture = self._session.capture
        stopped = next((item for item in capture.breaks if item.id == break_id), None) if capture else None
        if capture is None or stopped is None:
            return
        for index, item in enumerate(self._breaks):
            if (item.first.kind, item.first.reason) == (stopped.kind, stopped.reason):
                self.list.make_current(index)
        if stopped.instruction is not None:
            self._select(stopped.instruction)
        elif stopped.stack:
            self._select(line_place(capture, stopped.stack[-1]))

    def _line_clicked(self, line: SourceLine) -> None:
        if self._session.capture is not None:
            self._select(line_place(self._session.capture, line))

    def _follow_selection(self, sender: object) -> None:
        """Make the break current that the pinned instruction or line belongs to."""
        capture, pinned = self._session.capture, self._session.selection.pinned
        moved, self._pinned = pinned != self._pinned, pinned
        if sender is self or capture is None or not pinned or not moved:
            return
        for index, item in enumerate(self._breaks):
            line = line_place(capture, item.spot) if item.spot is not None else None
            spots = [*item.places, line]
            if any(
                spot and spot.stage == pinned.stage and set(spot.nodes) & set(pinned.nodes) for spot in spots
            ):
                self.list.make_current(index)
                return


def _nothing(capture: Capture | None) -> tuple[str, str]:
    """What to say where there are no breaks."""
    if capture is None:
        return "No program captured yet", "Graph breaks and the frames of a captured program are listed here."
    graphs = len(capture.of_kind(StageKind.DYNAMO_GRAPH))
    if graphs == 0:
        return "No graph was made", "Dynamo captured nothing of this program; the frames tab says why."
    plural = "graph" if graphs == 1 else "graphs"
    return f"No graph breaks: the whole program is {graphs} {plural}", "Dynamo traced it without stopping."
