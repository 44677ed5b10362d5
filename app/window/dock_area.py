"""All panes: the graph in the middle, the others in docks around it."""

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QLayout, QMainWindow, QTabBar, QTabWidget, QVBoxLayout, QWidget

from app.session.facade.session import Session
from app.window.pane_menu import OPEN_AT_FIRST
from app.window.pane_table import PANES, PaneRow, make_pane

ARRANGEMENT_VERSION = 1
_SMALLEST = QSize(110, 60)
_LARGE = 0.55
"""Part of the height that a pane gets which somebody asked to see."""
_Area = Qt.DockWidgetArea
_AREAS = {"left": _Area.LeftDockWidgetArea, "beside": _Area.LeftDockWidgetArea, "right": _Area.RightDockWidgetArea,
          "bottom": _Area.BottomDockWidgetArea}  # fmt: skip


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


_WIDTHS = {"pipeline": 0.19, "source": 0.2, "code": 0.23}
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
        self._settling = QTimer(self, interval=_SETTLING_MS, singleShot=True)
        self._arrange()

    def save_arrangement(self) -> QByteArray:
        """Where all docks are, as bytes for the settings."""
        return self.saveState(ARRANGEMENT_VERSION)

    def restore_arrangement(self, saved: QByteArray | None) -> None:
        """Put the docks where they were, or as at first where that is of another version. Done when they are first seen: Qt
        leaves the tab bars of before where they were in a window that is hidden.
        """
        if not self.isVisible():
            self._to_restore = [saved]
            return
        self._settling.stop()
        if saved is None or not self.restoreState(saved, ARRANGEMENT_VERSION):
            self.apply_default_sizes()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._to_restore:
            self.restore_arrangement(self._to_restore.pop())
            self._hide_left_over_bars()

    def _hide_left_over_bars(self) -> None:
        """Tab bars of groups that are no more: Qt forgets those that it made while the window was hidden."""
        groups = {
            frozenset(
                (dock.windowTitle(), *(other.windowTitle() for other in self.tabifiedDockWidgets(dock)))
            )
            for dock in self.docks.values()
        }
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if frozenset(map(bar.tabText, range(bar.count()))) not in groups:
                bar.hide()

    def reset_arrangement(self) -> None:
        """Put the docks where they are at first, shown and not floating."""
        for dock in self.docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        self._arrange()

    def show_pane(self, pane_id: str) -> None:
        """Bring a pane to the front."""
        dock = self.docks.get(pane_id)
        if dock is not None:
            dock.show()
            dock.raise_()

    def show_large(self, pane_id: str) -> None:
        """The same, with room for a drawing."""
        self.show_pane(pane_id)
        dock = self.docks.get(pane_id)
        if dock is not None and not dock.isFloating() and dock.height() < self.height() * _LARGE:
            self.resizeDocks([dock], [int(self.height() * _LARGE)], Qt.Orientation.Vertical)

    def apply_default_sizes(self) -> None:
        """Widths and heights that leave the graph the most; called once the window has its size."""
        height = self.height()
        self._apply_widths()
        tall = [self.docks["code"], self.docks["inspector"]]
        self.resizeDocks(tall, [int(height * 0.58), int(height * 0.42)], Qt.Orientation.Vertical)
        self.resizeDocks([self.docks["breaks"]], [int(height * 0.3)], Qt.Orientation.Vertical)
        self._settling.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A window that has just come up is given its size in steps: the panes' shares are of the last one."""
        super().resizeEvent(event)
        if self._settling.isActive():
            self._apply_widths()

    def _apply_widths(self) -> None:
        docks = [self.docks[name] for name in _WIDTHS]
        widths = [int(self.width() * part) for part in _WIDTHS.values()]
        self.resizeDocks(docks, widths, Qt.Orientation.Horizontal)

    def _tidy(self) -> None:
        """A dock in a stack of tabs has its title on its tab; a second one above it would only take room."""
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
        if row.area == "centre":
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
        first: dict[str, QDockWidget] = {}
        for row in PANES:
            if row.area == "centre":
                continue
            dock = self.docks[row.id]
            if row.area == "beside" and row.area not in first:
                self.splitDockWidget(first["left"], dock, Qt.Orientation.Horizontal)
            elif row.area == "right" and row.area in first:
                self.splitDockWidget(first["right"], dock, Qt.Orientation.Vertical)
            elif row.area in first:
                self.tabifyDockWidget(first[row.area], dock)
            else:
                self.addDockWidget(_AREAS[row.area], dock)
            first.setdefault(row.area, dock)
            dock.setVisible(row.id in OPEN_AT_FIRST)
        for dock in first.values():
            dock.raise_()
        self.apply_default_sizes()
