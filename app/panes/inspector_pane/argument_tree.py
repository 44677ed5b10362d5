"""A node's arguments as a tree; constants are typed over in place."""

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.ir.arguments import (
    Argument,
    ArgumentPath,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    children,
    constant_from_text,
    text_of,
)
from compiler.model.ir.graph import Node

_COLUMNS = (
    Column(tr_noop("Argument")),
    Column(tr_noop("Value"), width=Width.STRETCH),
    Column(tr_noop("Kind")),
)


class ArgumentTree(RowTable):
    """Shows arguments; says which constant was typed, or why what was typed is none, right below.

    A cell that is being typed in stays open whatever comes from elsewhere, as long as its node is shown.
    """

    constant_typed = Signal(object, object)
    """(path, ConstantArgument)."""
    node_clicked = Signal(str)
    """An argument that is another node's result was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, parent=parent)
        self.tree.setAccessibleName(tr("Arguments"))
        self.tree.setIndentation(12)
        self.tree.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.reason = WrappedLabel("", self)
        self.reason.setMargin(4)
        self.reason.hide()
        self.put_below(self.reason)
        self._shown: tuple[Node, bool] | None = None
        self.clicked.connect(self._clicked)
        self.activated.connect(lambda row: self.begin_edit(row.key))
        self.edited.connect(self._typed)
        self.tree.expanded.connect(self._fit)
        self.tree.collapsed.connect(self._fit)

    def show_node(self, node: Node, editable: bool) -> None:
        """Show the arguments of a node; constants can be typed over if `editable`."""
        if self._shown == (node, editable):
            return
        self._shown = (node, editable)
        rows = [
            _row(node, str(index), item, ("args", str(index)), editable)
            for index, item in enumerate(node.args.items)
        ]
        rows += [_row(node, key, item, ("kwargs", key), editable) for key, item in node.kwargs.items]
        self.set_rows(rows)
        self.reason.hide()
        self._fit()

    def _typed(self, row: Row, text: str) -> None:
        before = row.cells[1].text
        self.reason.hide()
        if text.strip() == before:
            return
        try:
            constant = constant_from_text(text)
        except ValueError as error:
            self.reason.setText(tr("{error}. {before} was kept.").format(error=error, before=before))
            self.reason.setStyleSheet(f"color: {current.colors().error}")
            self.reason.show()
            return
        assert isinstance(row.key, tuple), "(node, path)"
        self.constant_typed.emit(row.key[1], constant)

    def _clicked(self, row: Row) -> None:
        if isinstance(row.value, NodeArgument):
            self.node_clicked.emit(row.value.node)

    def _fit(self) -> None:
        """As high as its rows: the inspector scrolls as a whole."""
        rows, first = 0, self.tree.model().index(0, 0)
        index = first
        while index.isValid():
            rows += 1
            index = self.tree.indexBelow(index)
        height = max(self.tree.visualRect(first).height(), 20)
        self.tree.setFixedHeight(self.tree.header().sizeHint().height() + max(1, rows) * height + 2)


def _row(node: Node, name: str, argument: Argument, path: ArgumentPath, editable: bool) -> Row:
    text = text_of(argument)
    value = Cell(text, tooltip=text, monospace=True)
    if isinstance(argument, NodeArgument):
        tip = tr("The result of {node}. Click to select it.").format(node=argument.node)
        value = msgspec.structs.replace(value, tooltip=tip, color="accent")
    elif editable and isinstance(argument, ConstantArgument) and argument.kind != "opaque":
        tip = tr("{text}\nDouble-click or press Enter to change it.").format(text=argument.text)
        value = msgspec.structs.replace(value, tooltip=tip, edit=argument.text)
    inside = tuple(_row(node, step, child, (*path, step), editable) for step, child in children(argument))
    cells = (Cell(name), value, Cell(_kind(argument), color="dim_text"))
    return Row((node.id, path), cells, inside, value=argument, open=True)


def _kind(argument: Argument) -> str:
    match argument:
        case NodeArgument():
            return "node"
        case ConstantArgument() | SequenceArgument():
            return argument.kind
        case MappingArgument():
            return "dict"
        case SliceArgument():
            return "slice"
