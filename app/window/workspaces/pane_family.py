"""Panes about one matter in one dock, as pages: one row of buttons says which there are and which is in front."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.layouts.boxes import set_column, set_row
from app.window.pane_table import PaneRow, make_pane

SMALLEST = QSize(110, 60)


class PanePlace(QWidget):
    """Holds a pane, which may come late. A pane that wants more room than there is gets clipped: were its wish a
    demand, Qt would let docks overlap.
    """

    def __init__(self, row: PaneRow, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.row = row
        self._session = session
        self.pane: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setMinimumSize(SMALLEST)

    def make(self) -> None:
        """Make the pane, if it is not there yet."""
        if self.pane is None:
            self.pane = make_pane(self.row, self._session, self)
            self._column.addWidget(self.pane)


class PaneFamily(QWidget):
    """What a dock holds: one pane, or several as pages with a button each."""

    def __init__(self, rows: list[PaneRow], session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        column = set_column(self, margins=0, spacing=0)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setMinimumSize(SMALLEST)
        self._pages = QStackedWidget(self)
        self.places = {row.id: PanePlace(row, session, self._pages) for row in rows}
        self.buttons: dict[str, QToolButton] = {}
        if len(rows) > 1:
            column.addWidget(self._switch(rows))
        column.addWidget(self._pages, 1)
        for row, place in zip(rows, self.places.values(), strict=True):
            self._pages.addWidget(place)
            if not row.late:
                place.make()
        self.show_page(rows[0].id)

    @property
    def page(self) -> str:
        """The pane in front."""
        return next(name for name, place in self.places.items() if place is self._pages.currentWidget())

    def show_page(self, pane_id: str) -> None:
        """Bring a page to the front."""
        self._pages.setCurrentWidget(self.places[pane_id])
        if pane_id in self.buttons:
            self.buttons[pane_id].setChecked(True)
        if self.isVisible():
            self.make_front()

    def make_front(self) -> None:
        """What is in front is seen: it must be there."""
        self.places[self.page].make()

    def _switch(self, rows: list[PaneRow]) -> QWidget:
        switch = QWidget(self)
        switch.setObjectName("page_switch")
        line = set_row(switch, margins=(4, 2, 4, 2), spacing=2)
        group = QButtonGroup(switch)
        for row in rows:
            button = QToolButton(switch)
            button.setObjectName(f"page_{row.id}")
            button.setText(tr(row.page))
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _, name=row.id: self.show_page(name))
            group.addButton(button)
            line.addWidget(button)
            self.buttons[row.id] = button
        line.addStretch(1)
        return switch
