"""The labs: panes for what is looked into now and then, each with a picture and what it is for."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.layouts.boxes import Room, column_of, set_row
from app.window.choice_card import ChoiceCard
from app.window.pane_table import LABS, PANES
from compiler.installation import RESOURCES

_PICTURES = RESOURCES / "pictures" / "labs"
_WIDTH = 460
_PICTURE = QSize(160, 96)


class LabsPage(QScrollArea):
    """A click opens the pane, with room."""

    chosen = Signal(str)
    """A pane's id."""
    back_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("labs_page")
        self.setAccessibleName(tr("Labs"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        page = QWidget(self)
        rows = {row.id: row for row in PANES}
        self.back = QPushButton(tr("← Back"), page)
        self.back.setFlat(True)
        self.back.clicked.connect(self.back_wanted)
        title = QLabel(tr("Labs"), page)
        title.setFont(fonts.interface(1.9, bold=True))
        about = QLabel(tr("Other ways to look at the program that is open, and at PyTorch itself"), page)
        about.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        grid = QGridLayout()
        grid.setSpacing(16)
        self.cards: dict[str, ChoiceCard] = {}
        for number, name in enumerate(LABS):
            card = ChoiceCard(tr(rows[name].title), tr(rows[name].about), _WIDTH, page)
            card.setObjectName(f"lab_{name}")
            card.setIconSize(_PICTURE)
            card.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self.cards[name] = card
            grid.addWidget(card, number // 2, number % 2)
        column = column_of((self.back, 0, Qt.AlignmentFlag.AlignLeft), title, about, margins=24, spacing=8)
        column.addSpacing(16)
        column.addLayout(grid)
        column.addStretch(1)
        set_row(page, Room(), column, Room())
        self.setWidget(page)
        current.signals().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        look = "dark" if current.colors().dark else "light"
        for name, card in self.cards.items():
            card.setIcon(QIcon(str(picture_of(name, look))))


def picture_of(lab: str, look: str) -> Path:
    """What the pane looks like. `look`: ``light`` or ``dark``."""
    return _PICTURES / f"{lab}-{look}.png"
