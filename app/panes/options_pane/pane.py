"""All that torch.compile can be told on the left; on the right what that changes for the program that is open."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.panes.options_pane.choices_page import ChoicesPage
from app.panes.options_pane.interface_tree import InterfaceTree
from app.panes.options_pane.setting_view import SettingView
from app.session.facade.chosen_line import select_line
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import as_widget, column_of, row_of, set_column, split_of
from compiler.model.experiments.torch_compile_api import Backend
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import SourceLine


class OptionsPane(QWidget):
    """Follows `session.choices`; asks torch for the list when it is first shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("options_pane")
        self._session = session
        self._choices = session.choices
        self._filled: object = None
        self.tree = InterfaceTree(self)
        self.setting = SettingView(self)
        self.page = ChoicesPage(session.choices, self)
        self.state = ElidedLabel("", self)
        self.backends = QPushButton(tr("Try all backends"), self)
        self.backends.setToolTip(
            tr(
                "Compile and train a tiny module with every backend, each in a process of its own; takes minutes"
            )
        )
        self.stop = QPushButton(tr("Cancel"), self)
        foot = row_of((self.state, 1), self.backends, self.stop)
        upper = split_of(self.tree, self.setting, parent=self, vertical=True, collapsible=True)
        upper.setStretchFactor(0, 3)
        upper.setStretchFactor(1, 1)
        upper.setSizes([260, 110])
        left = as_widget(column_of((upper, 1), foot, margins=(4, 4, 0, 2), spacing=2), self)
        split = split_of(left, self.page, parent=self, sizes=(460, 560), collapsible=True)
        set_column(self, split, margins=0)
        self.tree.shown.connect(self._show_row)
        self.setting.wanted.connect(lambda choice: session.choices.choose(choice))
        self.backends.clicked.connect(session.choices.try_backends)
        self.stop.clicked.connect(session.choices.cancel)
        self.page.place_wanted.connect(self._go_to)
        session.choices.changed.connect(self.fill)
        session.capture_changed.connect(self.page.fill)
        current.signals().changed.connect(self._refill)
        self.fill()

    def sizeHint(self) -> QSize:
        return QSize(900, 340)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._choices.load()

    def fill(self) -> None:
        """Show the list of torch, and what came of trying backends."""
        choices = self._choices
        known = choices.interface
        trying = choices.running == "backends"
        self.backends.setVisible(not trying)
        self.backends.setEnabled(known is not None and not choices.running)
        self.stop.setVisible(trying)
        if known is None:
            self.state.setText(tr("Asking torch…"))
            return
        tried = tr("{count} of {count2} backends tried").format(
            count=len(choices.backends), count2=len(known.backends)
        )
        self.state.setText(
            tried if trying or choices.backends else tr("torch {torch}").format(torch=known.torch)
        )
        if self._filled != (known.torch, len(choices.backends)):
            self._filled = (known.torch, len(choices.backends))
            self._refill()

    def _refill(self) -> None:
        if self._choices.interface is not None:
            self.tree.show_interface(self._choices.interface, self._choices.backends)
            self._show_row()

    def _show_row(self) -> None:
        row = self.tree.entry()
        tried = self._choices.backends.get(row.name) if isinstance(row, Backend) else None
        self.setting.show_row(row, tried)

    def _go_to(self, note: Problem) -> None:
        """Select the user's line that torch names."""
        if note.line is not None:
            select_line(self._session, SourceLine(note.path, note.line), self)
