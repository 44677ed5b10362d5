"""Edits that no file holds, of sessions that ended unexpectedly, on the page that the window begins with."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.session.edit_history.journal_lines import RecoverableJournal
from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from compiler.analysis.text_format.visible_text import visible_line

_MOST = 3


class LeftBehind(QWidget):
    """A row for each: a click opens the file, or captures the program as it was, and makes the edits again. Hidden while something is open, whose
    own edits would be lost, and where there is nothing.
    """

    def __init__(
        self,
        session: Session,
        title: Callable[[str, QWidget], QLabel],
        link: Callable[[str, str], QPushButton],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("left_behind")
        self._session = session
        self._link = link
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(title(tr("Edits not saved"), self))

    def fill(self) -> None:
        """Show what there is now."""
        for row in self._rows:
            row.hide()
            row.deleteLater()
        found = self._session.recovery.left_behind() if self._session.capture is None else ()
        self._rows = [self._row(journal) for journal in found[:_MOST]]
        for row in self._rows:
            self._column.addWidget(row)
        self.setVisible(bool(self._rows))

    def _row(self, journal: RecoverableJournal) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        file = _file_of(journal)
        name = visible_line(file.name if file is not None else journal.heading.target)
        words = tr("Recover %n edit(s) of {name}", None, journal.count).format(name=name)
        what = tr("Open {path}, and make them again").format(path=visible_line(str(file)))
        as_it_was = tr("Capture it as it was then, and make them again")
        recover = self._link(what if file is not None else as_it_was, words)
        recover.clicked.connect(lambda: self._recover(journal))
        tip = tr("Give these edits up")
        give_up = tool_button(row, "✕", tip, lambda: self._give_up(journal), flat=True)
        line.addWidget(recover, 1)
        line.addWidget(give_up)
        return row

    def _recover(self, journal: RecoverableJournal) -> None:
        file = _file_of(journal)
        if file is not None:
            self._session.recovery.want(journal)
            self._session.open_file(file)
        elif journal.heading.spec is not None:
            self._session.recovery.want(journal)
            self._session.open_program(journal.heading.spec)

    def _give_up(self, journal: RecoverableJournal) -> None:
        self._session.recovery.give_up(journal)
        self.fill()


def _file_of(journal: RecoverableJournal) -> Path | None:
    """The session file that the edits were made on, where it is there."""
    file = Path(journal.heading.file)
    return file if journal.heading.file and file.is_file() else None
