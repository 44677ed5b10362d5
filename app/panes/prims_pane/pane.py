"""PrimTorch: what runs when a function of torch's is called, taken apart level by level."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.panes.prims_pane.level_bar import LevelBar
from app.panes.prims_pane.operator_tree import OperatorTree
from app.session.facade.selected_operator import selected_operator
from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.layouts.boxes import row_of, set_column


class PrimsPane(QWidget):
    """Above the levels of the program that is open; below the tree of one operator, named by hand or by selecting a node."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prims_pane")
        self._session = session
        self._name = ""
        self.levels = LevelBar(session, self)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(tr("An operator: softmax.int, aten::gelu, or select a node"))
        self.field.setClearButtonEnabled(True)
        self.button = QPushButton(tr("Take apart"), self)
        self.operator = OperatorTree(self)
        asking = row_of((self.field, 1), self.button)
        set_column(self, self.levels, asking, (self.operator, 1), margins=(4, 4, 4, 0))
        self.field.returnPressed.connect(self._asked)
        self.button.clicked.connect(self._asked)
        self.field.textChanged.connect(self.fill)
        session.operators.changed.connect(self.fill)
        session.selection.changed.connect(self._follow_selection)
        self._follow_selection(None)
        self.fill()

    def sizeHint(self) -> QSize:
        return QSize(640, 340)

    def fill(self) -> None:
        """Show the tree of the operator that was asked for."""
        questions = self._session.operators
        waiting = f"tree of {self._name}" in questions.asking
        self.button.setEnabled(not waiting and bool(self.field.text().strip()))
        self.operator.show_tree(questions.tree(self._name), self._name if waiting else "")

    def _asked(self) -> None:
        if not self.button.isEnabled():
            return
        self._name = self.field.text().strip()
        self._session.operators.decompose(self._name)
        self.fill()

    def _follow_selection(self, _sender: object) -> None:
        """Name the operator of the node that was selected, and show its tree if it was taken apart before."""
        name = selected_operator(self._session)
        if name and name != self._name:
            self._name = name
            self.field.setText(name)
            self.fill()
