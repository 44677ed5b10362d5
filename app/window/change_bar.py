"""A slim bar above the panes: the file was saved, it is captured again, and what changed by that."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import set_row

_OWN = "QFrame#change_bar {{ background: {panel}; border: none; border-bottom: 1px solid {line}; border-left: 3px solid {mark}; }}"


class ChangeBar(QFrame):
    """Hidden while there is nothing to report; stays until it is closed or another program is open."""

    details_wanted = Signal()
    problems_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("change_bar")
        self._session = session
        self.text = ElidedLabel("", self)
        self.details = QPushButton(tr("Details"), self)
        self.details.setFlat(True)
        self.details.setCursor(Qt.CursorShape.PointingHandCursor)
        tip = tr("Hide until something changes again")
        self.close_button = tool_button(self, "✕", tip, self.hide, name=tr("Close"), flat=True)
        set_row(self, (self.text, 1), self.details, self.close_button, margins=(10, 2, 6, 2), spacing=8)
        self.hide()
        self.details.clicked.connect(self._on_details)
        session.changes.changed.connect(self._on_change)
        session.watch.changed.connect(self._on_watch)
        current.signals().changed.connect(self._show_changes)

    def _on_change(self) -> None:
        self.setVisible(self._session.changes.diff is not None)
        self._show_changes()

    def _on_watch(self) -> None:
        watch = self._session.watch
        if watch.working or watch.failed:
            self.show()
        elif not watch.on and self._session.changes.diff is None:
            self.hide()
        self._show_changes()

    def _show_changes(self) -> None:
        session, colors = self._session, current.colors()
        watch, changes = session.watch, session.changes
        mark = colors.accent
        self.details.setVisible(not watch.working)
        if watch.working:
            self.text.setText(tr("{names} was saved: capturing again…").format(names=_names(watch.working)))
        elif watch.failed:
            mark = colors.error
            self.text.setText(
                tr("{names} was saved but cannot be captured; shown is the capture before.").format(
                    names=_names(watch.failed)
                )
            )
        elif changes.diff is not None:
            mark = colors.dim_text if changes.diff.same else colors.good
            edits = len(changes.carried)
            again = tr(" · %n edit(s) made again, not compiled yet", None, edits) if edits else ""
            seconds = changes.diff.figure("seconds").after or 0.0
            self.text.setText(
                tr("Since the capture before: {words}{again} · captured in {seconds:.1f} s").format(
                    words=changes.words, again=again, seconds=seconds
                )
            )
        self.setStyleSheet(_OWN.format(panel=colors.panel, line=colors.line, mark=mark))

    def _on_details(self) -> None:
        if self._session.watch.failed:
            self.problems_wanted.emit()
        else:
            self.details_wanted.emit()


def _names(paths: tuple[str, ...]) -> str:
    return ", ".join(path.rpartition("/")[2] for path in paths)
