"""One line above the stages: edits that wait to be compiled; of a recompile, whether it is right and faster."""

from PySide6.QtWidgets import QWidget

from app.session.facade.session import Session
from app.theme import current
from app.translation.compiler_texts import translate
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.kept_in_sight import KeptInSight
from compiler.analysis.text_format.verdict_headline import headline


class VerdictLine(WrappedLabel):
    """Hidden while the capture shown is no recompile and nothing waits to be compiled."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._session = session
        KeptInSight(self).on = True
        self.setMargin(6)
        session.capture_changed.connect(self.fill)
        session.verdict_changed.connect(self.fill)
        session.edits_changed.connect(self.fill)
        session.problems_changed.connect(self.fill)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Say what waits, or what the session's verdict says."""
        capture, verdict = self._session.capture, self._session.verdict
        self.setToolTip("")
        if capture is not None and self._session.states.waiting:
            if (refused := self._session.asking.refused) is not None:
                self._show_text(
                    tr("✗ Recompiling failed: change the edits, undo them, or try again (Ctrl+R)."),
                    current.colors().error,
                )
                self.setToolTip(refused.message())
                return
            key = tr("a moment, please") if self._session.auto_recompile else tr("press Ctrl+R to recompile")
            self._show_text(
                tr("● Edits are not compiled yet: {key}.").format(key=key), current.colors().edited
            )
            return
        if capture is None or not capture.parent:
            self.hide()
            return
        color = current.colors().dim_text
        if self._session.early.shown is not None:
            text = tr("Generated; it is built now, then run and judged.")
        elif verdict is None:
            text = tr("Recompiled from {parent}; results were not judged.").format(parent=capture.parent)
        else:
            reported = headline(verdict, translate)
            color = current.shade_of(reported.right)
            text = f"{reported.mark} {reported.word} · {reported.speed}"
            self.setToolTip("\n".join((verdict.summary or tr("Recompiled."), *verdict.notes)))
        self._show_text(text, color)

    def _show_text(self, text: str, color: str) -> None:
        colors = current.colors()
        self.setText(text)
        self.setStyleSheet(
            f"border-left: 3px solid {color}; background: {colors.panel}; color: {colors.text}; border-radius: 2px"
        )
        self.show()
