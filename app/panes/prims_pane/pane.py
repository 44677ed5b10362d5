"""PrimTorch: what runs when a function of torch's is called, taken apart level by level."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.panes.prims_pane.level_bar import LevelBar
from app.panes.prims_pane.operator_tree import OperatorTree
from app.session.selected_operator import selected_operator
from app.session.session import Session


class PrimsPane(QWidget):
    """Above the levels of the program that is open; below the tree of one operator, that of the selected node at first."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prims_pane")
        self._session = session
        self._name = ""
        self.levels = LevelBar(session, self)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("An operator: softmax.int, aten::gelu, or select a node")
        self.field.setClearButtonEnabled(True)
        self.button = QPushButton("Take apart", self)
        self.operator = OperatorTree(self)
        asking = QHBoxLayout()
        asking.addWidget(self.field, 1)
        asking.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 0)
        column.addWidget(self.levels)
        column.addLayout(asking)
        column.addWidget(self.operator, 1)
        self.field.returnPressed.connect(self._asked)
        self.button.clicked.connect(self._asked)
        session.operators.changed.connect(self.fill)
        session.selection.changed.connect(self._follow_selection)
        self._follow_selection(None)

    def sizeHint(self) -> QSize:
        return QSize(640, 340)

    def showEvent(self, event: object) -> None:
        """A tree is asked for when somebody looks."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.fill()

    def fill(self) -> None:
        """Show the tree of the operator that was asked for."""
        if self._name and self.isVisible():
            self.operator.show_tree(self._session.operators.tree(self._name), self._name)

    def _asked(self) -> None:
        self._name = self.field.text().strip()
        self.fill()

    def _follow_selection(self, _sender: object) -> None:
        """The operator of the node that was selected."""
        name = selected_operator(self._session)
        if name and name != self._name:
            self._name = name
            self.field.setText(name)
            self.fill()
