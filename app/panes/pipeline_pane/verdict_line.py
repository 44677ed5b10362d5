"""One line above the stages of a recompile: is the edit right, and is it faster."""

from PySide6.QtWidgets import QLabel, QWidget

from app.session.session import Session
from app.theme import current
from compiler.model.verdicts import Verdict


class VerdictLine(QLabel):
    """Hidden while the capture shown is no recompile."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setWordWrap(True)
        self.setMargin(6)
        session.capture_changed.connect(self.fill)
        session.verdict_changed.connect(self.fill)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Say what the session's verdict says."""
        capture, verdict = self._session.capture, self._session.verdict
        if capture is None or not capture.parent:
            self.hide()
            return
        colors = current.colors()
        color = colors.dim_text
        if verdict is None:
            text = f"Recompiled from {capture.parent}; results were not judged."
        else:
            sign, color = _sign(verdict)
            text = f"{sign} {verdict.summary or 'Recompiled.'}"
            self.setToolTip("\n".join(verdict.notes))
        self.setText(text)
        self.setStyleSheet(
            f"border-left: 3px solid {color}; background: {colors.panel}; color: {colors.text}; border-radius: 2px"
        )
        self.show()


def _sign(verdict: Verdict) -> tuple[str, str]:
    colors = current.colors()
    judged = [comparison.agrees for comparison in verdict.comparisons if comparison.agrees is not None]
    if not judged:
        return "?", colors.warning
    return ("✓", colors.good) if all(judged) else ("✗", colors.error)
