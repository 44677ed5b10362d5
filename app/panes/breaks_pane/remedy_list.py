"""What may be tried against a break: titles to click."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.remedy_texts import translate_remedy
from app.translation.texts import tr
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.layouts.boxes import set_column
from compiler.analysis.remedies import Remedy


class RemedyList(QWidget):
    """A click opens the trial of a remedy; nothing is changed by it."""

    chosen = Signal(object)
    """A Remedy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._remedies: tuple[Remedy, ...] = ()
        self.words = LinkLabel(self, margin=8)
        set_column(self, self.words, margins=0)
        self.words.link_clicked.connect(lambda number: self.chosen.emit(self._remedies[number]))

    def show_remedies(self, remedies: tuple[Remedy, ...]) -> None:
        """Show what may be tried; hidden where nothing is known."""
        self._remedies = remedies
        self.setVisible(bool(remedies))
        text = (
            RichText()
            .text(tr("Try a fix"), "bold")
            .text(tr(": on a copy; your file stays as it is"), "dim")
            .line()
        )
        for number, remedy in enumerate(remedies):
            title, why = translate_remedy(remedy.title), translate_remedy(remedy.why)
            text.paragraph(RichText().text("▸ ").link(title, number).text(f": {why}", "dim"))
        self.words.set_content(text)
