"""Choosing the inputs: the file's own ``example_inputs()``, typed text, or a table of arguments."""

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QRadioButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.translation.texts import tr, tr_all, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.window.open_form.input_text import DTYPES, inputs_text, keyword_text, shape_from_text
from compiler.model.capture.capture_spec import ArgumentSpec

_COLUMNS = (tr_noop("Argument"), tr_noop("Shape or value"), "dtype", tr_noop("Device"), "requires_grad")
EXAMPLE, TYPED, TABLE = range(3)
_MOST_ROWS = 6
"""More arguments than these scroll: what else the form asks is to stay in sight."""


class InputsForm(QWidget):
    """Holds what was typed; `texts` is what the engine will evaluate."""

    table_wanted = Signal()
    """The table was chosen and needs a description of the target."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arguments: tuple[ArgumentSpec, ...] = ()
        self.ways = QButtonGroup(self)
        self.positional = QLineEdit(self)
        self.positional.setObjectName("inputs_text")
        self.positional.setPlaceholderText("torch.randn(8, 128), 2")
        self.keyword = QLineEdit(self)
        self.keyword.setPlaceholderText("mask=None, scale=2.0")
        self.table = QTableWidget(0, len(_COLUMNS), self)
        self.table.setObjectName("inputs_table")
        self.table.setHorizontalHeaderLabels(tr_all(_COLUMNS))
        self.table.verticalHeader().hide()
        self.table.setVerticalScrollMode(QTableWidget.ScrollMode.ScrollPerPixel)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.state = WrappedLabel("", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        rows: tuple[tuple[int, str, tuple[QWidget, ...]], ...] = (
            (EXAMPLE, tr("From example_inputs() in the file"), ()),
            (TYPED, tr("Typed as in a call"), (self.positional, self.keyword)),
            (TABLE, tr("Argument by argument"), (self.state, self.table)),
        )
        for way, text, widgets in rows:
            button = QRadioButton(text, self)
            self.ways.addButton(button, way)
            column.addWidget(button)
            for widget in widgets:
                column.addWidget(widget)
        self.ways.button(EXAMPLE).setChecked(True)
        self.ways.idToggled.connect(self._on_way)
        self._show_way()

    @property
    def way(self) -> int:
        """EXAMPLE, TYPED or TABLE."""
        return self.ways.checkedId()

    def offer_example(self, there: bool) -> None:
        """Whether the file has inputs of its own; where not, the table is the way to begin."""
        self.ways.button(EXAMPLE).setEnabled(there)
        if not there and self.way == EXAMPLE:
            self.ways.button(TABLE).setChecked(True)

    def texts(self) -> tuple[str | None, str | None]:
        """Positional and keyword arguments as Python text; None: what the file says. Raises ValueError."""
        if self.way == EXAMPLE:
            return None, None
        if self.way == TYPED:
            return self.positional.text().strip(), self.keyword.text().strip() or None
        arguments = self.arguments()
        return inputs_text(arguments), keyword_text(arguments)

    def arguments(self) -> tuple[ArgumentSpec, ...]:
        """The arguments as the table has them. Raises ValueError for a shape that is none."""
        return tuple(self._read(row, argument) for row, argument in enumerate(self._arguments))

    def show_text(self, text: str) -> None:
        """Say what is going on with the table."""
        self.state.setText(text)
        self._show_way()

    def set_arguments(self, arguments: Sequence[ArgumentSpec]) -> None:
        """Fill the table."""
        self._arguments = tuple(arguments)
        self.table.setRowCount(len(self._arguments))
        for row, argument in enumerate(self._arguments):
            self._write(row, argument)
        self.show_text("" if arguments else tr("The program takes no arguments."))

    def _write(self, row: int, argument: ArgumentSpec) -> None:
        tensor = argument.kind == "tensor"
        name = QTableWidgetItem(f"{argument.name}=" if argument.keyword else argument.name)
        name.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.table.setItem(row, 0, name)
        value = ", ".join(map(str, argument.shape)) if tensor else argument.text
        self.table.setItem(row, 1, QTableWidgetItem(value))
        if not tensor:
            return
        dtype = QComboBox(self.table)
        dtype.addItems(DTYPES)
        dtype.setCurrentText(argument.dtype.removeprefix("torch."))
        self.table.setCellWidget(row, 2, dtype)
        self.table.setItem(row, 3, QTableWidgetItem(argument.device or "cpu"))
        gradient = QTableWidgetItem()
        gradient.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
        gradient.setCheckState(Qt.CheckState.Checked if argument.requires_grad else Qt.CheckState.Unchecked)
        self.table.setItem(row, 4, gradient)

    def _read(self, row: int, argument: ArgumentSpec) -> ArgumentSpec:
        value = self._text(row, 1)
        if argument.kind != "tensor":
            return msgspec.structs.replace(argument, text=value)
        try:
            shape = shape_from_text(value)
        except ValueError as error:
            raise ValueError(
                tr("The shape of {name} is no list of sizes: {value!r}.").format(
                    name=argument.name, value=value
                )
            ) from error
        dtype, gradient = self.table.cellWidget(row, 2), self.table.item(row, 4)
        return msgspec.structs.replace(
            argument,
            shape=shape,
            dtype=dtype.currentText() if isinstance(dtype, QComboBox) else argument.dtype,
            device=self._text(row, 3),
            requires_grad=gradient is not None and gradient.checkState() is Qt.CheckState.Checked,
        )

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    def _on_way(self, way: int, on: bool) -> None:
        if on:
            self._show_way()
            if way == TABLE:
                self.table_wanted.emit()

    def _show_way(self) -> None:
        for widget in (self.positional, self.keyword):
            widget.setVisible(self.way == TYPED)
        self.state.setVisible(self.way == TABLE and bool(self.state.text()))
        self.table.setVisible(self.way == TABLE)
        self._fit_table()

    def _fit_table(self) -> None:
        """As high as its rows."""
        lines = self.table.verticalHeader()
        rows = min(self.table.rowCount(), _MOST_ROWS)
        high = sum(lines.sectionSize(row) for row in range(rows)) or lines.defaultSectionSize()
        self.table.setFixedHeight(
            high + self.table.horizontalHeader().sizeHint().height() + 2 * self.table.frameWidth()
        )
