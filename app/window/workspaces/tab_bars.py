"""The tab bars of docks: words are never cut off, what has no room is in a menu, and bars that Qt forgets are hidden."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QTabBar, QToolButton

from app.translation.texts import tr

_GAP = 4
"""Pixels between a pane and the tab bar that is its own."""


class TabBars(QObject):
    """Looks after the tab bars that Qt makes for docks which share a place."""

    double_clicked = Signal(str)
    """The title of a tab."""

    def __init__(self, area: QMainWindow) -> None:
        super().__init__(area)
        self._area = area

    def tidy(self, docks: list[QDockWidget]) -> None:
        """Called whenever docks went elsewhere. Qt forgets bars of groups that are no more where it made them out of sight:
        only the bar right above the front pane of a group is that group's.
        """
        fronts = [dock for dock in docks if not dock.visibleRegion().isEmpty()]
        for bar in self._area.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._dress(bar)
            titles = {bar.tabText(index) for index in range(bar.count())}
            place = bar.geometry()
            if bar.isVisible() and not any(
                dock.windowTitle() in titles
                and self._area.tabifiedDockWidgets(dock)
                and abs(dock.geometry().top() - place.bottom()) <= _GAP
                and abs(dock.geometry().left() - place.left()) <= _GAP
                for dock in fronts
            ):
                bar.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(watched, QTabBar)
            and event.type() == QEvent.Type.MouseButtonDblClick
            and isinstance(event, QMouseEvent)
        ):
            at = watched.tabAt(event.position().toPoint())
            if at >= 0:
                self.double_clicked.emit(watched.tabText(at))
                return True
        return super().eventFilter(watched, event)

    def _dress(self, bar: QTabBar) -> None:
        """Qt makes bars when it needs them."""
        if bar.findChild(MoreTabs, options=Qt.FindChildOption.FindDirectChildrenOnly) is None:
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            bar.installEventFilter(self)
            MoreTabs(bar)


class MoreTabs(QToolButton):
    """Stands where Qt would put its two arrows, as wide as these, when the tabs need more room than there is; a menu has all."""

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self.setObjectName("more_tabs")
        self.setText("⋯")
        self.setToolTip(tr("All panes of this place"))
        self.setAccessibleName(tr("All panes of this place"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the Panes menu has the same
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        bar.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place()
        return False

    def _place(self) -> None:
        bar = self._bar
        last = bar.tabRect(bar.count() - 1).right() if bar.count() else 0
        first = bar.tabRect(0).left() if bar.count() else 0
        self.setVisible(last - first >= bar.width())
        if not self.isHidden():
            arrows = bar.findChildren(QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
            width = sum(arrow.width() for arrow in arrows if arrow is not self) or self.sizeHint().width()
            self.setGeometry(bar.width() - width, 0, width, bar.height())
            self.raise_()

    def _fill(self) -> None:
        self._menu.clear()
        for index in range(self._bar.count()):
            action = self._menu.addAction(self._bar.tabText(index))
            action.setCheckable(True)
            action.setChecked(index == self._bar.currentIndex())
            action.triggered.connect(lambda _, at=index: self._bar.setCurrentIndex(at))
