"""The pattern as calls and arguments; a click on an argument makes it general, another takes that back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
from compiler.model.diagrams.diagrams import short_target
from compiler.model.edits.patterns import Location, spots_of
from compiler.model.ir.arguments import NodeArgument, text_of
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId

_LOCATION = int(Qt.ItemDataRole.UserRole)


class PatternTree(QTreeWidget):
    """Calls from the first to the end, each with its arguments."""

    toggled = Signal(object)
    """The argument clicked: a `Spot`."""
    node_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("The pattern"))
        self.setHeaderLabels([tr("Pattern"), tr("Must be")])
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setItemDelegate(RoomyDelegate(self))
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.itemClicked.connect(self._clicked)
        self.itemActivated.connect(self._clicked)
        self._locations: dict[Location, QTreeWidgetItem] = {}

    def show_pattern(self, whole: Graph, general: frozenset[Location], kept: frozenset[NodeId]) -> None:
        """The pattern before anything was made general, what was, and the calls that are left of it."""
        self.clear()
        self._locations = {}
        rows: dict[NodeId, QTreeWidgetItem] = {}
        for node in whole.nodes:
            if not node.op.startswith("call"):
                continue
            top = QTreeWidgetItem(
                self, [short_target(node), node.target if node.id in kept else tr("left out")]
            )
            rows[node.id] = top
            top.setData(0, _LOCATION, (node.id, ()))
            top.setToolTip(1, f"{node.id}: {node.target}")
            top.setFont(0, fonts.interface(bold=True))
            top.setForeground(1, self.palette().placeholderText())
            top.setDisabled(node.id not in kept)
        inner = {node.id for node in whole.nodes if node.op.startswith("call")}
        for node, path, argument in spots_of(whole):
            location: Location = (node.id, path)
            above = self._locations.get((node.id, path[:-1]), rows[node.id])
            anything = location in general or (
                isinstance(argument, NodeArgument) and argument.node not in inner and len(path) >= 2
            )
            item = QTreeWidgetItem(
                above,
                [
                    path[-1]
                    if path[0] == "kwargs" or len(path) > 2
                    else tr("argument {path}").format(path=path[1]),
                    "",
                ],
            )
            item.setText(1, tr("anything") if anything else text_of(argument))
            item.setData(0, _LOCATION, location)
            item.setFont(1, fonts.monospace())
            if location in general:
                item.setForeground(1, QColor(current.colors().edited))
                item.setToolTip(
                    1,
                    tr("Anything fits here. Click to ask for {text_of} again.").format(
                        text_of=text_of(argument)
                    ),
                )
            elif anything:
                item.setForeground(1, self.palette().placeholderText())
                item.setToolTip(
                    1,
                    tr("{text_of} is made outside the pattern: any result fits.").format(
                        text_of=text_of(argument)
                    ),
                )
            else:
                item.setToolTip(1, tr("Click to let anything fit here."))
            item.setDisabled(node.id not in kept)
            self._locations[location] = item
        self.expandAll()

    def item_of(self, location: Location) -> QTreeWidgetItem | None:
        """The row of an argument."""
        return self._locations.get(location)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        name, path = item.data(0, _LOCATION)
        if path:
            self.toggled.emit((name, tuple(path)))
        else:
            self.node_clicked.emit(name)
