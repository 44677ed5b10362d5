"""Where the heat map and the curves stand: above the table of kernels, or on a page of their own where both would be too low."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabWidget, QWidget

from app.translation.texts import tr

_PLOTS, _TABLE = 12, 9
"""Lines of text that plots and the table need at least, to be read."""
_SLACK = 3
"""So many lines more before they come together again: sentences above them get longer and shorter while times arrive."""


class PlotPlace(QObject):
    """Moves the plots between a splitter, which is the first page of the tabs, and a second page."""

    def __init__(self, plots: QWidget, split: QSplitter, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self._plots, self._split, self._tabs = plots, split, tabs
        self._needed = False
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._settle)
        tabs.installEventFilter(self)

    @property
    def own_page(self) -> bool:
        """Whether the plots have a page of their own."""
        return self._tabs.indexOf(self._plots) >= 0

    def set_needed(self, needed: bool) -> None:
        """Whether there is something in the table: without, the plots' place says what to do, and may have all of the room."""
        if needed != self._needed:
            self._needed = needed
            self._settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._soon.start()  # pages are not to come and go while they are laid out
        return super().eventFilter(watched, event)

    def _settle(self) -> None:
        room = self._tabs.height() - self._tabs.tabBar().height()
        above = self._split.orientation() is Qt.Orientation.Vertical
        lines = (_PLOTS + _TABLE if above else max(_PLOTS, _TABLE)) + (_SLACK if self.own_page else 0)
        own_page = self._needed and room < lines * self._tabs.fontMetrics().height()
        if own_page == self.own_page:
            return
        if own_page:
            self._tabs.insertTab(1, self._plots, tr("Over time"))
            self._tabs.setTabToolTip(
                1, tr("Every kernel of every iteration, and curves of those that are selected")
            )
            return
        if self._tabs.currentWidget() is self._plots:
            self._tabs.setCurrentIndex(0)
        self._tabs.removeTab(self._tabs.indexOf(self._plots))
        self._split.insertWidget(0, self._plots)
        self._split.setSizes([_PLOTS, _TABLE])
        self._plots.show()
