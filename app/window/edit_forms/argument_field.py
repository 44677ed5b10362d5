"""One argument of a form: a field to type in, with what fits to choose from, and what is wrong right below."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QLabel,
    QLineEdit,
    QToolButton,
    QWidget,
)

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, row_of, set_column
from compiler.model.ir.arguments import Argument, text_of
from compiler.model.operators.op_schemas import Parameter

_MOST_SHOWN = 24


class ArgumentField(QWidget):
    """Holds the text of one argument. An empty field means the parameter's default."""

    changed = Signal()

    def __init__(
        self,
        parameter: Parameter,
        value: Argument | None,
        nodes: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self.before = "" if value is None else text_of(value)
        self.line = self._make_line(nodes)
        self.line.setText(self.before)
        self.line.setCursorPosition(0)
        (self._box or self.line).setFont(fonts.monospace())
        self.line.setPlaceholderText(_default_text(parameter))
        self.reset = QToolButton(self)
        self.reset.setText(tr("Default"))
        self.reset.setToolTip(tr("Leave this argument out, so that its default is used"))
        self.reset.setVisible(not parameter.required)
        self.reset.setAutoRaise(True)
        self.fault = WrappedLabel("", self)
        self.fault.hide()
        row = row_of((self._box or self.line, 1), self.reset, spacing=4)
        set_column(self, row, self.fault, margins=0, spacing=1)
        self.setFocusProxy(self._box or self.line)
        self.line.textChanged.connect(self._on_text)
        self.reset.clicked.connect(self.line.clear)
        self._on_text()

    @property
    def text(self) -> str:
        """What is typed."""
        return self.line.text().strip()

    def show_fault(self, fault: str) -> None:
        """Say what is wrong with what is typed; nothing for an empty text."""
        self.fault.setText(fault)
        self.fault.setStyleSheet(f"color: {current.colors().error}")
        self.fault.setVisible(bool(fault))

    def _make_line(self, nodes: Sequence[tuple[str, str]]) -> QLineEdit:
        offers = [(text, "") for text in self.parameter.choices]
        if self.parameter.kind in ("tensor", "any", "int", "number") and not self.parameter.is_list:
            offers += list(nodes)
        if self.parameter.optional and offers:
            offers.append(("None", ""))
        if not offers:
            self._box: QComboBox | None = None
            return QLineEdit(self)
        box = self._box = QComboBox(self)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setMaxVisibleItems(_MOST_SHOWN)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for index, (text, tip) in enumerate(offers):
            box.addItem(text)
            box.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
        completer = box.completer()
        if completer is not None:
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
        line = box.lineEdit()
        assert line is not None
        return line

    def _on_text(self) -> None:
        self.reset.setEnabled(bool(self.text))
        self.changed.emit()


def _default_text(parameter: Parameter) -> str:
    if parameter.default is not None:
        return tr("{text_of} (default)").format(text_of=text_of(parameter.default))
    return tr("must be given") if parameter.required and not parameter.variadic else tr("left out")


def name_label(parameter: Parameter, parent: QWidget) -> QWidget:
    """The name and the type of a parameter, one under the other."""
    whole = QWidget(parent)
    name, kind = QLabel(parameter.name, whole), QLabel(parameter.type, whole)
    font = fonts.monospace()
    font.setBold(True)
    name.setFont(font)
    kind.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    small = kind.font()
    small.setPointSizeF(small.pointSizeF() * 0.9)
    kind.setFont(small)
    set_column(whole, name, kind, Room(0), margins=(0, 2, 8, 2), spacing=0)
    return whole
