"""The page of compile time: by phase, pass, kernel build and stage; what adds up to the wall time, and what is the rest."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.timings_pane.narrow_columns import NarrowColumns, fix_widths
from app.session.facade.session import Session
from app.theme import current, fonts
from app.widgets.bar_delegate import BAR_COLOR_ROLE, FRACTION_ROLE, BarDelegate
from app.widgets.filter_tree import SORT_ROLE, FilterTree, SortableItem
from compiler.analysis.text_format.times import time_text
from compiler.analysis.timing.compile_times import REST, TimedRow, by_build, by_pass, by_phase, by_stage
from compiler.model.capture.capture import Capture

_COLUMNS = ("What", "Time", "Of the wall time", "Times", "Where")
_NAME, _TIME, _SHARE, _COUNT, _WHERE = range(len(_COLUMNS))
_MOST_DEPTH = 40
_OPEN_SHARE = 0.25
"""A phase that takes at least so much of the whole is shown open."""
_TIPS = {
    "whole compile": "Torch's own phases, one inside the other; each adds up, what no phase covers is the rest",
    "passes over graphs": "Passes run inside the phases above",
    "kernel builds": "Runs of the C++ compiler; they go on side by side, so together they may exceed the wall time",
    "stages": "As they stand in the pipeline; a stage may hold others' time, such as the builds of its kernels",
}


class CompilePage(QWidget):
    """Filled by `refresh`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._capture: Capture | None = None
        self.summary = QLabel(self)
        self.summary.setWordWrap(True)
        self.table = FilterTree(_COLUMNS, "Filter phases, passes and builds", self)
        tree = self.table.tree
        tree.setItemDelegateForColumn(_SHARE, BarDelegate(tree))
        fix_widths(
            tree,
            _NAME,
            {_TIME: "999.9 ms", _SHARE: "Of the wall time", _COUNT: "Times", _WHERE: "0/0, 1/0, 2/0 forward"},
        )
        NarrowColumns(tree, {_WHERE: 700, _COUNT: 560})
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 4, 0, 0)
        outer.setSpacing(3)
        outer.addWidget(self.summary)
        outer.addWidget(self.table, 1)

    def refresh(self) -> None:
        """Draw the capture shown, if it is another one."""
        capture = self._session.capture
        if capture is self._capture:
            return
        self._capture = capture
        self.table.tree.clear()
        if capture is None:
            self.summary.setText("Nothing is captured yet.")
            return
        whole = by_phase(capture)
        groups = [row for row in (whole, by_pass(capture), by_build(capture), by_stage(capture)) if row.rows]
        for group in groups:
            item = self._item(group, capture.seconds, 0)
            item.setToolTip(_NAME, _TIPS[group.name])
            self.table.tree.addTopLevelItem(item)
            item.setExpanded(True)
            self._open_large(item, capture.seconds)
        self.summary.setText(_summary(capture, whole))

    def mark_selected(self) -> None:
        """Nothing here is a node."""

    def _item(self, row: TimedRow, whole: float, depth: int) -> SortableItem:
        colors = current.colors()
        item = SortableItem([row.name, time_text(row.seconds * 1e9)])
        if row.name != REST and depth:
            item.setFont(_NAME, fonts.monospace())
        item.setData(_TIME, SORT_ROLE, row.seconds)
        share = row.seconds / whole if whole else 0.0
        item.setText(_SHARE, f"{share:.1%}")
        item.setData(_SHARE, SORT_ROLE, share)
        item.setData(_SHARE, FRACTION_ROLE, share)
        item.setData(_SHARE, BAR_COLOR_ROLE, colors.dim_text if row.name == REST else colors.accent)
        item.setText(_COUNT, f"{row.count:,}" if row.count > 1 else "")
        item.setText(_WHERE, row.detail)
        item.setToolTip(_WHERE, row.detail)
        for column in (_TIME, _SHARE, _COUNT):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if depth < _MOST_DEPTH:
            item.addChildren([self._item(inner, whole, depth + 1) for inner in row.rows])
        return item

    def _open_large(self, item: QTreeWidgetItem, whole: float) -> None:
        for index in range(item.childCount()):
            child = item.child(index)
            if (
                child is not None
                and child.childCount()
                and child.data(_TIME, SORT_ROLE) >= _OPEN_SHARE * whole
            ):
                child.setExpanded(True)
                self._open_large(child, whole)


def _summary(capture: Capture, whole: TimedRow) -> str:
    what = "This recompile" if capture.parent else "This capture, its first run included,"
    text = f"{what} took {time_text(capture.seconds * 1e9)} of wall time with everything listening."
    if not whole.rows:
        return f"{text} Torch's phases were not recorded with it."
    rest = next((row.seconds for row in whole.rows if row.name == REST), 0.0)
    return (
        f"{text} Torch's phases cover {time_text((whole.seconds - rest) * 1e9)}; the rest, "
        f"{time_text(rest * 1e9)}, is the program's own run and what no phase names."
    )
