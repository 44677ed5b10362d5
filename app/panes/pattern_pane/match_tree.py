"""Matches, to be ticked, and near misses with what failed; a click selects the nodes."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
from compiler.model.edits.patterns import NearMiss, PatternMatch, PatternMatches
from compiler.model.ir.ids import Place, place

_ROW = int(Qt.ItemDataRole.UserRole)


class MatchTree(QTreeWidget):
    """Two groups: matches first."""

    place_clicked = Signal(object)
    """A Place."""
    chosen_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Matches of the pattern"))
        self.setHeaderLabels([tr("Where"), tr("What")])
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setItemDelegate(RoomyDelegate(self))
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self._matches: list[tuple[PatternMatch, QTreeWidgetItem]] = []
        self._near: list[QTreeWidgetItem] = []
        self._groups: list[QTreeWidgetItem] = []
        self.itemClicked.connect(self._clicked)
        self.itemActivated.connect(self._clicked)
        self.itemChanged.connect(lambda _item: self.chosen_changed.emit())
        current.signals().changed.connect(self._dress)

    def show_matches(self, found: PatternMatches, total: int, title: Callable[[str], str]) -> None:
        """Everything found; `total` is how many calls the pattern has, `title` names a stage."""
        with QSignalBlocker(self):
            self.clear()
            self._matches, self._near, self._groups = [], [], []
            count = len(found.matches)
            head = self._group(tr("%n match(es)", None, count), found.matcher)
            for match in found.matches:
                item = QTreeWidgetItem(head, [title(match.stage), ", ".join(match.nodes)])
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(0, Qt.CheckState.Checked)
                item.setData(0, _ROW, place(match.stage, *match.nodes))
                item.setFont(1, fonts.monospace())
                self._matches.append((match, item))
            if found.near:
                near = self._group(tr("%n near miss(es)", None, len(found.near)), "")
                for miss in found.near:
                    self._add_near(near, miss, total, title)
            self.expandAll()
        self.chosen_changed.emit()

    def chosen(self) -> tuple[PatternMatch, ...]:
        """The matches that are ticked."""
        return tuple(match for match, item in self._matches if item.checkState(0) is Qt.CheckState.Checked)

    def near_rows(self) -> list[QTreeWidgetItem]:
        """The rows of near misses."""
        return list(self._near)

    def _group(self, text: str, detail: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [text, detail])
        item.setFont(0, fonts.interface(bold=True))
        item.setForeground(1, QColor(current.colors().dim_text))
        self._groups.append(item)
        return item

    def _dress(self) -> None:
        """Another look: the titles of the groups are the only rows with a colour of their own."""
        with QSignalBlocker(self):
            for group in self._groups:
                group.setForeground(1, QColor(current.colors().dim_text))

    def _add_near(
        self, above: QTreeWidgetItem, miss: NearMiss, total: int, title: Callable[[str], str]
    ) -> None:
        item = QTreeWidgetItem(
            above,
            [
                tr("{title}  {count} of {total}").format(
                    title=title(miss.stage), count=len(miss.pairs), total=total
                ),
                miss.why,
            ],
        )
        location: Place = place(miss.stage, *{miss.node, *(node for _, node in miss.pairs)})
        item.setData(0, _ROW, location)
        self._near.append(item)
        item.setToolTip(
            1,
            tr("{why}\nIn the pattern: {pattern_node}").format(why=miss.why, pattern_node=miss.pattern_node),
        )

    def _clicked(self, item: QTreeWidgetItem) -> None:
        location = item.data(0, _ROW)
        if location is not None:
            self.place_clicked.emit(location)
