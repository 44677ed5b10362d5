"""A node's arguments as a tree; constants are typed over in place."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
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

_NAME, _VALUE, _KIND = range(3)
_PATH_ROLE = int(Qt.ItemDataRole.UserRole)


class ArgumentTree(QWidget):
    """Shows arguments; says which constant was typed, or why what was typed is none, right below."""

    constant_typed = Signal(object, object)
    """(path, ConstantArgument)."""
    node_clicked = Signal(str)
    """An argument that is another node's result was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName(tr("Arguments"))
        self.tree.setHeaderLabels([tr("Argument"), tr("Value"), tr("Kind")])
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.setIndentation(12)
        self.tree.setItemDelegate(RoomyDelegate(self.tree))
        self.tree.setUniformRowHeights(True)
        self.tree.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_VALUE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_KIND, QHeaderView.ResizeMode.ResizeToContents)
        self.reason = QLabel(self)
        self.reason.setWordWrap(True)
        self.reason.setMargin(4)
        self.reason.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.tree)
        column.addWidget(self.reason)
        self._before: dict[ArgumentPath, str] = {}
        self._shown: tuple[Node, bool] | None = None
        self.tree.itemChanged.connect(self._typed)
        self.tree.itemClicked.connect(self._clicked)
        self.tree.itemDoubleClicked.connect(self._begin_edit)
        self.tree.itemActivated.connect(self._begin_edit)
        self.tree.itemExpanded.connect(self._fit)
        self.tree.itemCollapsed.connect(self._fit)

    def show_node(self, node: Node, editable: bool) -> None:
        """Show the arguments of a node; constants can be typed over if `editable`.

        What is shown already is left alone, so that news from elsewhere does not close a cell being typed in.
        """
        if self._shown == (node, editable):
            return
        self._shown = (node, editable)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            self._before.clear()
            root = self.tree.invisibleRootItem()
            for index, item in enumerate(node.args.items):
                self._add(root, str(index), item, ("args", str(index)), editable)
            for key, item in node.kwargs.items:
                self._add(root, key, item, ("kwargs", key), editable)
            self.tree.expandAll()
        self.reason.hide()
        self._fit()

    def item_at(self, path: ArgumentPath) -> QTreeWidgetItem | None:
        """The row of the argument at a path."""
        item = self.tree.topLevelItem(0)
        while item is not None and item.data(_NAME, _PATH_ROLE) != list(path):
            item = self.tree.itemBelow(item)
        return item

    def _add(
        self, above: QTreeWidgetItem, name: str, argument: Argument, path: ArgumentPath, editable: bool
    ) -> None:
        item = QTreeWidgetItem(above, [name, text_of(argument), _kind(argument)])
        item.setData(_NAME, _PATH_ROLE, list(path))
        item.setFont(_VALUE, fonts.monospace())
        item.setToolTip(_VALUE, text_of(argument))
        item.setForeground(_KIND, self.palette().placeholderText())
        if isinstance(argument, NodeArgument):
            item.setForeground(_VALUE, self.palette().link())
            item.setToolTip(
                _VALUE, tr("The result of {node}. Click to select it.").format(node=argument.node)
            )
        if editable and isinstance(argument, ConstantArgument) and argument.kind != "opaque":
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setToolTip(
                _VALUE, tr("{text}\nDouble-click or press Enter to change it.").format(text=argument.text)
            )
            self._before[path] = argument.text
        for step, child in children(argument):
            self._add(item, step, child, (*path, step), editable)

    def _begin_edit(self, item: QTreeWidgetItem) -> None:
        if item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.tree.editItem(item, _VALUE)

    def _typed(self, item: QTreeWidgetItem, column: int) -> None:
        path: ArgumentPath = tuple(item.data(_NAME, _PATH_ROLE) or ())
        if column != _VALUE or path not in self._before:
            return
        text, before = item.text(_VALUE), self._before[path]
        if text.strip() == before:
            self.reason.hide()
            return
        try:
            constant = constant_from_text(text)
        except ValueError as error:
            with QSignalBlocker(self.tree):
                item.setText(_VALUE, before)
            self.reason.setText(tr("{error}. {before} was kept.").format(error=error, before=before))
            self.reason.setStyleSheet(f"color: {current.colors().error}")
            self.reason.show()
            return
        self.reason.hide()
        self._shown = None  # the edit may be refused, and then the old constant must come back
        self.constant_typed.emit(path, constant)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        if item.text(_KIND) == "node":
            self.node_clicked.emit(item.text(_VALUE))

    def _fit(self) -> None:
        """As high as its rows: the inspector scrolls as a whole."""
        rows = 0
        item = self.tree.topLevelItem(0)
        while item is not None:
            rows += 1
            item = self.tree.itemBelow(item)
        first = self.tree.topLevelItem(0)
        row = self.tree.visualItemRect(first).height() if first is not None else 0
        self.tree.setFixedHeight(self.tree.header().sizeHint().height() + max(1, rows) * max(row, 20) + 2)


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
