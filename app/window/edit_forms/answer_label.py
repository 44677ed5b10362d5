"""Where an answer of the engine will stand: until then what is waited for, and what the engine has to do first."""

from PySide6.QtWidgets import QWidget

from app.session.facade.session import Session
from app.widgets.labels.wrapped_label import WrappedLabel


class AnswerLabel(WrappedLabel):
    """Waits until it is given a text. A program that was opened from a file is captured first, which may take a minute."""

    def __init__(self, session: Session, waiting: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._session = session
        self._waiting = waiting
        session.status_changed.connect(self._follow)
        self._follow()

    def setText(self, text: str) -> None:
        """The answer, or something else that is no waiting."""
        self._waiting = ""
        super().setText(text)

    def _follow(self) -> None:
        if self._waiting:
            doing = self._session.live.doing
            super().setText(f"{self._waiting}\n{doing}…" if doing else self._waiting)
