"""The list of tours."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QMessageBox,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.widgets.layouts.boxes import row_of
from app.window import questions
from app.window.choice_card import ChoiceCard
from app.window.tours.language import chosen_language, remember_language
from app.window.tours.tour_texts import words
from compiler.analysis.tours.tour import LANGUAGES, Tour
from compiler.analysis.tours.tour_file import TourError, find_tours, read_tour

_WIDTH = 560


class TourDialog(QDialog):
    """One click starts a tour."""

    def __init__(self, start: Callable[[Tour], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tour_dialog")
        self._start = start
        self._tours = find_tours()
        self.buttons: dict[str, ChoiceCard] = {}
        column = QVBoxLayout(self)
        column.setSpacing(8)
        top = QHBoxLayout()
        top.addStretch(1)
        self.language = QToolButton(self)
        self.language.setAutoRaise(True)
        self.language.clicked.connect(self._other_language)
        top.addWidget(self.language)
        column.addLayout(top)
        for tour in self._tours:
            button = ChoiceCard("", "", _WIDTH, self)
            button.setObjectName(f"start_{tour.name}")
            button.clicked.connect(lambda _=False, tour=tour: self._chosen(tour))
            self.buttons[tour.name] = button
            column.addWidget(button)
        self.open_file = QPushButton(self)
        self.open_file.setObjectName("tour_file")
        self.open_file.clicked.connect(self._open_file)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        box.rejected.connect(self.reject)
        bottom = row_of(self.open_file, (box, 1))
        column.addSpacing(8)
        column.addLayout(bottom)
        self._fill()

    def _fill(self) -> None:
        language = chosen_language()
        say = words(language)
        self.setWindowTitle(say.choose)
        self.language.setText(next(name for code, name in LANGUAGES.items() if code != language))
        for tour in self._tours:
            button = self.buttons[tour.name]
            button.setText(tour.title.text(language))
            button.setDescription(tour.about.text(language))
        self.open_file.setText(say.open_file)

    def _other_language(self) -> None:
        remember_language(next(code for code in LANGUAGES if code != chosen_language()))
        self._fill()

    def _chosen(self, tour: Tour) -> None:
        self.accept()
        self._start(tour)

    def _open_file(self) -> None:
        path = questions.tour_to_open(self)
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> None:
        """Start the tour in a file, or say what is wrong with it."""
        try:
            tour = read_tour(path)
        except TourError as error:
            QMessageBox.warning(self, self.windowTitle(), str(error))
            return
        self._chosen(tour)
