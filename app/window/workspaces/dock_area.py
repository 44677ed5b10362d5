"""All panes: the graph in the middle, the others in docks around it."""

from collections.abc import Collection

from PySide6.QtCore import QByteArray, QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDockWidget,
    QMainWindow,
    QTabWidget,
    QWidget,
)

from app.actions.workspace_table import WORKSPACES, Workspace
from app.session.facade.session import Session
from app.theme import fonts
from app.translation.texts import tr
from app.window.pane_table import CENTRE, FAMILIES, LABS, PANES, PaneRow, make_pane, row_of
from app.window.workspaces.pane_family import SMALLEST, PaneFamily
from app.window.workspaces.tab_bars import TabBars

ARRANGEMENT_VERSION = 3
_LARGE = 0.55
"""Part of the height that a pane gets which somebody asked to see."""
_Area = Qt.DockWidgetArea
_COLUMNS_OF_CODE = 80
_NEXT_TO_CODE = 98
"""Pixels of times, line numbers, marks and the scroll bar beside the lines."""
_MOST_CODE = 0.53
"""Part of the width that code takes at most."""
_LIST_WIDTH = (216, 0.185, 270)
"""Of a list of stages: at least, part of the width, at most."""
_SIDE = 0.28
_FIRST_PAGES = [next(row.id for row in PANES if row.family == family) for family in FAMILIES]


_SETTLING_MS = 500
"""How long after it got its first sizes a window may still be laid out by Qt and the desktop."""
DIRECTIONS = ("widths", "heights")


class DockArea(QMainWindow):
    """A window inside the window, so that the arrangement of panes is one thing to save, restore and hide."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Widget)
        self.setObjectName("dock_area")
        self.setDockNestingEnabled(True)
        self.setTabPosition(_Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, _Area.BottomDockWidgetArea)
        self.docks: dict[str, QDockWidget] = {}
        self.panes: dict[str, QWidget] = {}
        """Every pane's place, several of a family in one dock."""
        self._families: dict[str, PaneFamily] = {}
        self._add_centre(session)
        for name in dict.fromkeys(row.dock for row in PANES if row.id != CENTRE):
            self._add(name, [row for row in PANES if row.dock == name], session)
        self._tab_bars = TabBars(self)
        self._tab_bars.double_clicked.connect(self._toggle_titled)
        self._tidy_soon = QTimer(self, interval=0, singleShot=True)
        self._tidy_soon.timeout.connect(self._tidy)
        for dock in self.docks.values():
            for signal in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                signal.connect(self._tidy_soon.start)
        self._to_restore: list[tuple[QByteArray | None, frozenset[str]]] = []
        self._before_alone: QByteArray | None = None
        """Where everything was before one pane got all the room."""
        self._settling = QTimer(self, interval=_SETTLING_MS, singleShot=True)
        self._settling.timeout.connect(self._settled)
        self._untouched: dict[str, list[int]] = {}
        """Widths and heights as they were shared out; those are missing that the person arranged."""
        self._sharing: frozenset[str] = frozenset()
        """Which of them are shared out while the window is still laid out."""
        self._are_placed = False
        """Whether every dock has its place in the window."""
        self._workspace = WORKSPACES[0]
        self._give_corner()
        self._arrange()

    def show_workspace(
        self, workspace: Workspace, saved: QByteArray | None, pages: str = "", *, shared: Collection[str] = ()
    ) -> None:
        """The panes of a workspace, where they were left or as at first, with the pages that were in front. `shared`: which of
        ``widths`` and ``heights`` nobody had changed, so they are those that fit this window, however large the one was
        that was left.
        """
        self._end_alone()
        self._workspace = workspace
        self.setUpdatesEnabled(False)
        try:
            if saved is None or not self.isVisible():
                self.reset_arrangement()
            if saved is not None:
                self.restore_arrangement(saved, shared=shared)
            self.show_pages(pages)
            self._give_corner()  # last: Qt shows tab bars that it has just made once it lays all out again
        finally:
            self.setUpdatesEnabled(True)
            self._tidy_soon.start()

    def _give_corner(self) -> None:
        wide = self._workspace.wide_bottom
        area = _Area.BottomDockWidgetArea if wide else _Area.LeftDockWidgetArea
        self.setCorner(Qt.Corner.BottomLeftCorner, area)

    def save_arrangement(self) -> QByteArray:
        """Where all docks are, as bytes for the settings."""
        return self._before_alone if self._before_alone is not None else self.saveState(ARRANGEMENT_VERSION)

    @property
    def shared(self) -> frozenset[str]:
        """Which of ``widths`` and ``heights`` are as they came: nobody dragged an edge."""
        if self._settling.isActive():
            return self._sharing
        return frozenset(name for name, sizes in self._untouched.items() if self._sizes(name) == sizes)

    def restore_arrangement(self, saved: QByteArray | None, *, shared: Collection[str] = ()) -> None:
        """Put the docks where they were, or as at first where that is of another version. Done when they are first seen: Qt
        leaves the tab bars of before where they were in a window that is hidden.
        """
        if not self.isVisible():
            self._to_restore = [(saved, frozenset(shared))]
            return
        self._settling.stop()
        self._untouched = {}
        if saved is None or not self.restoreState(saved, ARRANGEMENT_VERSION):
            self.reset_arrangement()
            return
        wanted = set(shared)
        if self.panes[CENTRE].width() <= 2 * SMALLEST.width():
            wanted.add("widths")
        self._share_out(frozenset(wanted))

    def showEvent(self, event: QShowEvent) -> None:
        """The keyboard goes to the graph: what had it on the first page is hidden, and Qt would take whatever comes next."""
        super().showEvent(event)
        if self._to_restore:
            saved, shared = self._to_restore.pop()
            self.restore_arrangement(saved, shared=shared)
            self._tab_bars.tidy(list(self.docks.values()))
        if not event.spontaneous() and (target := _first_focus(self.panes[CENTRE])) is not None:
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _toggle_titled(self, title: str) -> None:
        """A double click on a tab gives its pane all the room."""
        name = next((name for name, dock in self.docks.items() if dock.windowTitle() == title), None)
        if name is not None:
            self.toggle_alone(name)

    def reset_arrangement(self) -> None:
        """Put the docks where they are at first, shown and not floating."""
        self._end_alone()
        self._are_placed = False
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
        wanted = self.dock_of(pane_id)
        for dock in self.docks.values():
            dock.setVisible(dock is wanted or (dock.isFloating() and dock.isVisible()))
        self.panes[CENTRE].setVisible(pane_id == CENTRE)

    def _end_alone(self) -> None:
        before, self._before_alone = self._before_alone, None
        if before is not None:
            self.panes[CENTRE].show()
            self.restoreState(before, ARRANGEMENT_VERSION)
            self._tidy_soon.start()

    def dock_of(self, pane_id: str) -> QDockWidget | None:
        """The dock that holds a pane, by itself or as a page; None for the one in the middle."""
        row = row_of(pane_id)
        return self.docks.get(row.dock) if row is not None else self.docks.get(pane_id)

    def show_pane(self, pane_id: str) -> None:
        """Bring a pane to the front; a lab, which is looked into now and then, with room."""
        self._end_alone()
        dock, row = self.dock_of(pane_id), row_of(pane_id)
        if dock is not None:
            hidden = dock.visibleRegion().isEmpty()
            dock.show()
            self.raise_dock(pane_id, dock, hidden)
        if row is not None and row.dock in self._families:
            self._families[row.dock].show_page(pane_id)

    @property
    def pages(self) -> str:
        """Which page of each family is in front, as text for the settings."""
        return " ".join(family.page for name, family in self._families.items() if name in FAMILIES)

    def show_pages(self, saved: str) -> None:
        """Bring pages to the front; what is no page is passed over."""
        for pane_id in saved.split():
            row = row_of(pane_id)
            if row is not None and row.family:
                self._families[row.dock].show_page(pane_id)

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
        dock = self.dock_of(pane_id)
        if dock is not None:
            self._give_room(dock)

    def raise_dock(self, name: str, dock: QDockWidget, came_up: bool = True) -> None:
        """To the front of its tabs; a lab that has just come up gets room."""
        dock.raise_()
        if came_up and name in LABS:
            self._give_room(dock)

    def _give_room(self, dock: QDockWidget) -> None:
        if not dock.isFloating() and dock.height() < self.height() * _LARGE:
            self.resizeDocks([dock], [int(self.height() * _LARGE)], Qt.Orientation.Vertical)
            self._untouched.pop("heights", None)

    def apply_default_sizes(self) -> None:
        """Widths and heights that leave the graph what code and lists do not need; called once the window has its size."""
        self._share_out(frozenset(DIRECTIONS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A window that has just come up is given its size in steps: the panes' shares are of the last one. Sizes that nobody
        changed are shared out again, so that the graph does not pay for all.
        """
        super().resizeEvent(event)
        if self._are_placed:  # docks that go let a narrow window shrink
            self._share_out(self._sharing if self._settling.isActive() else frozenset(self._untouched))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        # edges between panes are dragged on the window itself
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._forget_touched()
        return done

    def _forget_touched(self) -> None:
        kept = self.shared
        self._sharing &= kept
        self._untouched = {name: sizes for name, sizes in self._untouched.items() if name in kept}

    def _share_out(self, wanted: frozenset[str]) -> None:
        self._sharing = wanted
        if "widths" in wanted:
            self._apply_widths()
        if "heights" in wanted:
            self._apply_heights()
        if wanted:
            self._settling.start()

    def _settled(self) -> None:
        kept = {name: sizes for name, sizes in self._untouched.items() if name not in self._sharing}
        self._untouched = kept | {name: self._sizes(name) for name in self._sharing}

    def _sizes(self, name: str) -> list[int]:
        """Of the pane in front in every group: ``widths`` of columns and side, ``heights`` of side and bottom."""
        workspace, wide = self._workspace, name == "widths"
        groups = (*workspace.columns, *workspace.side) if wide else (*workspace.side, workspace.bottom)
        return [
            next(
                (
                    dock.width() if wide else dock.height()
                    for dock in self._docks_of(group)
                    if not dock.visibleRegion().isEmpty()
                ),
                0,
            )
            for group in groups
        ]

    def _apply_widths(self) -> None:
        columns = self._workspace.columns
        widths = [self._list_width() if "pipeline" in group else self._code_width() for group in columns]
        self.resizeDocks(self._first_of(columns), widths, Qt.Orientation.Horizontal)
        side = self._first_of(self._workspace.side)
        self.resizeDocks(side, [int(self.width() * _SIDE)] * len(side), Qt.Orientation.Horizontal)

    def _apply_heights(self) -> None:
        """The bottom first: what lies above it shares what is left."""
        height, bottom = self.height(), self._workspace.bottom
        if bottom:
            share = int(height * self._workspace.bottom_share)
            self.resizeDocks(self._first_of((bottom,)), [share], Qt.Orientation.Vertical)
        heights = [int(height * 0.5) for _ in self._workspace.side]
        self.resizeDocks(self._first_of(self._workspace.side), heights, Qt.Orientation.Vertical)

    def _first_of(self, groups: tuple[tuple[str, ...], ...]) -> list[QDockWidget]:
        return [self._docks_of(group)[0] for group in groups]

    def _docks_of(self, group: tuple[str, ...]) -> list[QDockWidget]:
        """Panes' docks, each once."""
        return list(dict.fromkeys(dock for name in group if (dock := self.dock_of(name)) is not None))

    def _list_width(self) -> int:
        least, share, most = _LIST_WIDTH
        return min(max(least, int(self.width() * share)), most)

    def _code_width(self) -> int:
        letter = QFontMetricsF(fonts.monospace()).horizontalAdvance("0")
        return min(int(letter * _COLUMNS_OF_CODE) + _NEXT_TO_CODE, int(self.width() * _MOST_CODE))

    def _tidy(self) -> None:
        """A dock in a stack of tabs has its title on its tab; a second one above it would only take room."""
        self._tab_bars.tidy(list(self.docks.values()))
        for dock in self.docks.values():
            in_tabs = not dock.isFloating() and bool(self.tabifiedDockWidgets(dock))
            bare = dock.titleBarWidget() is not None
            if in_tabs and not bare:
                dock.setTitleBarWidget(QWidget(dock))
            elif bare and not in_tabs:
                title = dock.titleBarWidget()
                dock.setTitleBarWidget(None)  # type: ignore[arg-type]  # None brings the usual one back
                title.deleteLater()

    def _add_centre(self, session: Session) -> None:
        row = row_of(CENTRE)
        assert row is not None
        pane = self.panes[CENTRE] = make_pane(row, session, self)
        # said here, since what the pane itself would want changes with the stage, and docks would jump
        pane.setMinimumSize(SMALLEST)
        self.setCentralWidget(pane)

    def _add(self, name: str, rows: list[PaneRow], session: Session) -> None:
        dock = QDockWidget(tr(FAMILIES.get(name, rows[0].title)), self)
        dock.setObjectName(f"dock_{name}")
        family = PaneFamily(rows, session, dock)
        dock.visibilityChanged.connect(lambda visible: family.make_front() if visible else None)
        self._families[name] = family
        self.panes.update(family.places)
        dock.setWidget(family)
        self.docks[name] = dock

    def _arrange(self) -> None:
        """Every pane has its place, so that it comes up there when it is wanted; those of the workspace are shown."""
        workspace, placed = self._workspace, []
        for area, groups, towards in (
            (_Area.LeftDockWidgetArea, workspace.columns, Qt.Orientation.Horizontal),
            (_Area.RightDockWidgetArea, workspace.side, Qt.Orientation.Vertical),
        ):
            before = None
            for group in groups:
                docks = self._docks_of(group)
                self._place(docks, area, before, towards)
                before = docks[0]
                placed += docks
        bottom = self._docks_of(workspace.bottom)
        others = [dock for dock in self.docks.values() if dock not in placed and dock not in bottom]
        self._place([*bottom, *others], _Area.BottomDockWidgetArea, None, Qt.Orientation.Horizontal)
        shown = self._docks_of(tuple(workspace.panes))
        for dock in self.docks.values():
            dock.setVisible(dock in shown)
        for dock in self._first_of(
            tuple(filter(None, (*workspace.columns, *workspace.side, workspace.bottom)))
        ):
            dock.raise_()
        self.show_pages(" ".join([*_FIRST_PAGES, *workspace.panes]))
        self._are_placed = True
        self.apply_default_sizes()

    def _place(
        self,
        docks: list[QDockWidget],
        area: Qt.DockWidgetArea,
        before: QDockWidget | None,
        towards: Qt.Orientation,
    ) -> None:
        """Panes as tabs of one place, beside or below another place of the same area."""
        first, *others = docks
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
