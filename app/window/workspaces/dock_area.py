"""All panes: the graph in the middle, the others in docks around it."""

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDockWidget,
    QLayout,
    QMainWindow,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.actions.workspace_table import WORKSPACES, Workspace
from app.session.facade.session import Session
from app.theme import fonts
from app.window.pane_table import CENTRE, PANES, PaneRow, make_pane

ARRANGEMENT_VERSION = 2
_SMALLEST = QSize(110, 60)
_LARGE = 0.55
"""Part of the height that a pane gets which somebody asked to see."""
_BESIDE = 4
"""Pixels between a pane and the tab bar that is its own."""
_Area = Qt.DockWidgetArea
_COLUMNS_OF_CODE = 80
_BESIDE_CODE = 98
"""Pixels of times, line numbers, marks and the scroll bar beside the lines."""
_MOST_CODE = 0.53
"""Part of the width that code takes at most."""
_LIST_WIDTH = (200, 0.15, 260)
"""Of a list of stages: at least, part of the width, at most."""
_SIDE = 0.28


class _PanePlace(QWidget):
    """Holds a pane, which may come late. A pane that wants more room than there is gets clipped: were its wish a
    demand, Qt would let docks overlap.
    """

    def __init__(self, row: PaneRow, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._row = row
        self._session = session
        self.pane: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setMinimumSize(_SMALLEST)

    def make(self) -> None:
        """Make the pane, if it is not there yet."""
        if self.pane is None:
            self.pane = make_pane(self._row, self._session, self)
            self._column.addWidget(self.pane)


_SETTLING_MS = 500
"""How long after it got its first sizes a window may still be laid out by Qt and the desktop."""


class DockArea(QMainWindow):
    """A window inside the window, so that the arrangement of panes is one thing to save, restore and hide."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Widget)
        self.setObjectName("dock_area")
        self.setDockNestingEnabled(True)
        self.setTabPosition(_Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomLeftCorner, _Area.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, _Area.BottomDockWidgetArea)
        self.docks: dict[str, QDockWidget] = {}
        self.panes: dict[str, QWidget] = {}
        for row in PANES:
            self._add(row, session)
        self._tidy_soon = QTimer(self, interval=0, singleShot=True)
        self._tidy_soon.timeout.connect(self._tidy)
        for dock in self.docks.values():
            for signal in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                signal.connect(self._tidy_soon.start)
        self._to_restore: list[QByteArray | None] = []
        self._before_alone: QByteArray | None = None
        """Where everything was before one pane got all the room."""
        self._settling = QTimer(self, interval=_SETTLING_MS, singleShot=True)
        self._settling.timeout.connect(self._settled)
        self._untouched: list[int] = []
        """Widths as they were shared out; empty where the person arranged them."""
        self._workspace = WORKSPACES[0]
        self._arrange()

    def show_workspace(self, workspace: Workspace, saved: QByteArray | None) -> None:
        """The panes of a workspace, where they were left or as at first."""
        self._end_alone()
        self._workspace = workspace
        self.setUpdatesEnabled(False)
        try:
            if saved is None or not self.isVisible():
                self.reset_arrangement()
            if saved is not None:
                self.restore_arrangement(saved)
        finally:
            self.setUpdatesEnabled(True)
            self._tidy_soon.start()

    def save_arrangement(self) -> QByteArray:
        """Where all docks are, as bytes for the settings."""
        return self._before_alone if self._before_alone is not None else self.saveState(ARRANGEMENT_VERSION)

    def restore_arrangement(self, saved: QByteArray | None) -> None:
        """Put the docks where they were, or as at first where that is of another version. Done when they are first seen: Qt
        leaves the tab bars of before where they were in a window that is hidden.
        """
        if not self.isVisible():
            self._to_restore = [saved]
            return
        self._settling.stop()
        self._untouched = []
        if saved is None or not self.restoreState(saved, ARRANGEMENT_VERSION):
            self.reset_arrangement()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._to_restore:
            self.restore_arrangement(self._to_restore.pop())
            self._hide_left_over_bars()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A double click on a tab gives its pane all the room."""
        if (
            isinstance(watched, QTabBar)
            and event.type() == QEvent.Type.MouseButtonDblClick
            and isinstance(event, QMouseEvent)
        ):
            title = watched.tabText(watched.tabAt(event.position().toPoint()))
            name = next((name for name, dock in self.docks.items() if dock.windowTitle() == title), None)
            if name is not None:
                self.toggle_alone(name)
                return True
        return super().eventFilter(watched, event)

    def _hide_left_over_bars(self) -> None:
        """Tab bars of groups that are no more, which Qt forgets where it made them out of sight: only the bar right above the
        front pane of a group is that group's.
        """
        fronts = [dock for dock in self.docks.values() if not dock.visibleRegion().isEmpty()]
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.installEventFilter(self)  # Qt makes bars when it needs them
            titles = {bar.tabText(index) for index in range(bar.count())}
            place = bar.geometry()
            if bar.isVisible() and not any(
                dock.windowTitle() in titles
                and self.tabifiedDockWidgets(dock)
                and abs(dock.geometry().top() - place.bottom()) <= _BESIDE
                and abs(dock.geometry().left() - place.left()) <= _BESIDE
                for dock in fronts
            ):
                bar.hide()

    def reset_arrangement(self) -> None:
        """Put the docks where they are at first, shown and not floating."""
        self._end_alone()
        for dock in self.docks.values():
            if dock.isFloating():
                dock.setFloating(False)
            self.removeDockWidget(dock)
        self._arrange()

    def toggle_alone(self, pane_id: str) -> None:
        """Give a pane all the room there is; once more, and everything is where it was."""
        if self._before_alone is not None:
            self._end_alone()
            return
        self._before_alone = self.saveState(ARRANGEMENT_VERSION)
        for name, dock in self.docks.items():
            dock.setVisible(name == pane_id or (dock.isFloating() and dock.isVisible()))
        self.panes[CENTRE].setVisible(pane_id == CENTRE)

    def _end_alone(self) -> None:
        before, self._before_alone = self._before_alone, None
        if before is not None:
            self.panes[CENTRE].show()
            self.restoreState(before, ARRANGEMENT_VERSION)
            self._tidy_soon.start()

    def show_pane(self, pane_id: str) -> None:
        """Bring a pane to the front."""
        self._end_alone()
        dock = self.docks.get(pane_id)
        if dock is not None:
            dock.show()
            dock.raise_()

    def walk(self, direction: int) -> None:
        """The keyboard to the next pane that is seen, from left to right and from top to bottom."""
        seen = [
            name
            for name, pane in self.panes.items()
            if not pane.visibleRegion().isEmpty() and _first_focus(pane) is not None
        ]
        seen.sort(key=lambda name: self.panes[name].mapTo(self, QPoint()).toTuple())
        inside = QApplication.focusWidget()
        held = next((name for name in seen if inside and self.panes[name].isAncestorOf(inside)), None)
        at = (seen.index(held) + direction) % len(seen) if held is not None else 0
        if seen:
            self.focus_pane(seen[at])

    def focus_pane(self, pane_id: str) -> None:
        """Bring a pane to the front, with the keyboard."""
        self.show_pane(pane_id)
        if (target := _first_focus(self.panes[pane_id])) is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_large(self, pane_id: str) -> None:
        """The same, with room for a drawing."""
        self.show_pane(pane_id)
        dock = self.docks.get(pane_id)
        if dock is not None and not dock.isFloating() and dock.height() < self.height() * _LARGE:
            self.resizeDocks([dock], [int(self.height() * _LARGE)], Qt.Orientation.Vertical)

    def apply_default_sizes(self) -> None:
        """Widths and heights that leave the graph what code and lists do not need; called once the window has its size."""
        self._apply_widths()
        height, bottom = self.height(), self._workspace.bottom
        heights = [int(height * 0.5) for _ in self._workspace.side]
        self.resizeDocks(self._first_of(self._workspace.side), heights, Qt.Orientation.Vertical)
        if bottom:
            share = int(height * self._workspace.bottom_share)
            self.resizeDocks([self.docks[bottom[0]]], [share], Qt.Orientation.Vertical)
        self._settling.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A window that has just come up is given its size in steps: the panes' shares are of the last one. Widths that nobody
        changed are shared out again, so that the graph does not pay for all.
        """
        untouched = bool(self._untouched) and self._widths() == self._untouched
        super().resizeEvent(event)
        if self._settling.isActive() or untouched:
            self._apply_widths()
            self._settling.start()

    def _settled(self) -> None:
        self._untouched = self._widths()

    def _widths(self) -> list[int]:
        """Of the pane in front in every column."""
        groups = (*self._workspace.columns, *self._workspace.side)
        shown = ((self.docks[name] for name in group) for group in groups)
        return [
            next((dock.width() for dock in docks if not dock.visibleRegion().isEmpty()), 0) for docks in shown
        ]

    def _apply_widths(self) -> None:
        columns = self._workspace.columns
        widths = [self._list_width() if "pipeline" in group else self._code_width() for group in columns]
        self.resizeDocks(self._first_of(columns), widths, Qt.Orientation.Horizontal)
        side = self._first_of(self._workspace.side)
        self.resizeDocks(side, [int(self.width() * _SIDE)] * len(side), Qt.Orientation.Horizontal)

    def _first_of(self, groups: tuple[tuple[str, ...], ...]) -> list[QDockWidget]:
        return [self.docks[group[0]] for group in groups]

    def _list_width(self) -> int:
        least, share, most = _LIST_WIDTH
        return min(max(least, int(self.width() * share)), most)

    def _code_width(self) -> int:
        letter = QFontMetricsF(fonts.monospace()).horizontalAdvance("0")
        return min(int(letter * _COLUMNS_OF_CODE) + _BESIDE_CODE, int(self.width() * _MOST_CODE))

    def _tidy(self) -> None:
        """A dock in a stack of tabs has its title on its tab; a second one above it would only take room."""
        self._hide_left_over_bars()
        for dock in self.docks.values():
            in_tabs = not dock.isFloating() and bool(self.tabifiedDockWidgets(dock))
            bare = dock.titleBarWidget() is not None
            if in_tabs and not bare:
                dock.setTitleBarWidget(QWidget(dock))
            elif bare and not in_tabs:
                title = dock.titleBarWidget()
                dock.setTitleBarWidget(None)  # type: ignore[arg-type]  # None brings the usual one back
                title.deleteLater()

    def _add(self, row: PaneRow, session: Session) -> None:
        if row.id == CENTRE:
            self.panes[row.id] = make_pane(row, session, self)
            # said here, since what the pane itself would want changes with the stage, and docks would jump
            self.panes[row.id].setMinimumSize(_SMALLEST)
            self.setCentralWidget(self.panes[row.id])
            return
        dock = QDockWidget(row.title, self)
        dock.setObjectName(f"dock_{row.id}")
        place = _PanePlace(row, session, dock)
        if row.late:
            dock.visibilityChanged.connect(lambda visible: place.make() if visible else None)
        else:
            place.make()
        self.panes[row.id] = place
        dock.setWidget(place)
        self.docks[row.id] = dock

    def _arrange(self) -> None:
        """Every pane has its place, so that it comes up there when it is wanted; those of the workspace are shown."""
        workspace, placed = self._workspace, []
        for area, groups, towards in (
            (_Area.LeftDockWidgetArea, workspace.columns, Qt.Orientation.Horizontal),
            (_Area.RightDockWidgetArea, workspace.side, Qt.Orientation.Vertical),
        ):
            before = None
            for group in groups:
                self._place(group, area, before, towards)
                before = self.docks[group[0]]
            placed += [name for group in groups for name in group]
        others = [row.id for row in PANES if row.id in self.docks and row.id not in placed]
        rest = (*workspace.bottom, *(name for name in others if name not in workspace.bottom))
        self._place(rest, _Area.BottomDockWidgetArea, None, Qt.Orientation.Horizontal)
        for name, dock in self.docks.items():
            dock.setVisible(name in workspace.panes)
        for group in (*workspace.columns, *workspace.side, workspace.bottom):
            if group:
                self.docks[group[0]].raise_()
        self.apply_default_sizes()

    def _place(
        self,
        group: tuple[str, ...],
        area: Qt.DockWidgetArea,
        before: QDockWidget | None,
        towards: Qt.Orientation,
    ) -> None:
        """Panes as tabs of one place, beside or below another place of the same area."""
        first, *others = (self.docks[name] for name in group)
        if before is None:
            self.addDockWidget(area, first)
        else:
            self.splitDockWidget(before, first, towards)
        for dock in others:
            self.tabifyDockWidget(first, dock)


def _first_focus(pane: QWidget) -> QWidget | None:
    """What of a pane is worked with: what holds text, rows or a drawing, before its buttons and fields."""
    found = [
        widget
        for widget in pane.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and widget.isVisibleTo(pane)
    ]
    return next(
        (widget for widget in found if isinstance(widget, QAbstractScrollArea)), next(iter(found), None)
    )
