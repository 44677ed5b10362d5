"""The pattern as calls and arguments; a click on an argument makes it general, another takes that back."""

from collections import defaultdict

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.diagrams.diagrams import short_target
from compiler.model.edits.patterns import Location, spots_of
from compiler.model.ir.arguments import Argument, NodeArgument, text_of
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

_COLUMNS = (Column(tr_noop("Pattern")), Column(tr_noop("Must be"), width=Width.STRETCH))


class PatternTree(RowTable):
    """Calls from the first to the end, each with its arguments."""

    toggled = Signal(object)
    """The argument clicked: a `Spot`."""
    node_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, parent=parent)
        self.tree.setAccessibleName(tr("The pattern"))
        self.tree.setIndentation(12)
        self.row_picked.connect(self._emit_row)

    def show_pattern(self, whole: Graph, general: frozenset[Location], kept: frozenset[NodeId]) -> None:
        """The pattern before anything was made general, what was, and the calls that are left of it."""
        calls = {node.id: node for node in whole.nodes if node.op.startswith("call")}
        inside: defaultdict[Location, list[tuple[Location, tuple[Cell, ...]]]] = defaultdict(list)
        known: set[Location] = set()
        for node, path, argument in spots_of(whole):
            location: Location = (node.id, path)
            above: Location = (node.id, path[:-1])
            inside[above if above in known else (node.id, ())].append(
                (location, (Cell(_name(path)), _value(location, argument, general, calls)))
            )
            known.add(location)

        def row(location: Location, cells: tuple[Cell, ...]) -> Row:
            children = tuple(row(*child) for child in inside[location])
            return Row(location, cells, children, open=True, enabled=location[0] in kept)

        self.set_rows([row((name, ()), _call(node, name in kept)) for name, node in calls.items()])

    def _emit_row(self, row: Row) -> None:
        assert isinstance(row.key, tuple), "a Location"
        name, path = row.key
        if path:
            self.toggled.emit((name, path))
        else:
            self.node_clicked.emit(name)


def _call(node: Node, kept: bool) -> tuple[Cell, ...]:
    wanted = node.target if kept else tr("left out")
    return (
        Cell(short_target(node), bold=True),
        Cell(wanted, tooltip=f"{node.id}: {node.target}", color="dim_text"),
    )


def _name(path: tuple[str, ...]) -> str:
    by_name = path[0] == "kwargs" or len(path) > 2
    return path[-1] if by_name else tr("argument {path}").format(path=path[1])


def _value(
    location: Location, argument: Argument, general: frozenset[Location], calls: dict[NodeId, Node]
) -> Cell:
    text = text_of(argument)
    if location in general:
        tip = tr("Anything fits here. Click to ask for {text_of} again.").format(text_of=text)
        return Cell(tr("anything"), tooltip=tip, color="edited", monospace=True)
    outside = isinstance(argument, NodeArgument) and argument.node not in calls and len(location[1]) >= 2
    if outside:
        tip = tr("{text_of} is made outside the pattern: any result fits.").format(text_of=text)
        return Cell(tr("anything"), tooltip=tip, color="dim_text", monospace=True)
    return Cell(text, tooltip=tr("Click to let anything fit here."), monospace=True)
