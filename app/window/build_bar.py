"""A slim bar above the panes: what is shown is generated, and its kernels are being built."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from app.session.facade.session import Session
from app.theme import current
from app.widgets.elided_label import ElidedLabel

_OWN = "QFrame#build_bar {{ background: {panel}; border: none; border-bottom: 1px solid {line}; border-left: 3px solid {mark}; }}"
_MOST_NAMES = 12


class BuildBar(QFrame):
    """There while something unfinished is shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("build_bar")
        self._session = session
        self.text = ElidedLabel("", self)
        self.cancel = QPushButton("Cancel", self)
        self.cancel.setFlat(True)
        self.cancel.setToolTip("Stop building; what was shown before is shown again (Esc)")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 6, 2)
        row.setSpacing(8)
        row.addWidget(self.text, 1)
        row.addWidget(self.cancel)
        self.hide()
        self.cancel.clicked.connect(session.cancel)
        session.early.changed.connect(self._fill)
        session.status_changed.connect(self._fill)
        session.capture_changed.connect(self._fill)
        current.signals().changed.connect(self._style)
        self._style()

    def _fill(self) -> None:
        early = self._session.early
        shown = early.shown
        self.setVisible(shown is not None)
        if shown is None:
            return
        before = shown.built_before
        kept = f" ({before} more {'was' if before == 1 else 'were'} built before)" if before else ""
        names = [row.kernel for row in shown.building]
        self.text.setText(
            f"Generated, not run yet. {self._session.status_text}{kept}; the verdict and times follow."
        )
        rest = [f"and {len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
        self.setToolTip("\n".join(["The compiler builds:", *names[:_MOST_NAMES], *rest]) if names else "")

    def _style(self) -> None:
        colors = current.colors()
        self.setStyleSheet(_OWN.format(panel=colors.panel, line=colors.line, mark=colors.accent))
