"""What a table shows, as values: its columns, declared once, and its rows, made again whenever something changes."""

import enum
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec


class Width(enum.Enum):
    """Of a column whose width follows from something else than itself."""

    CONTENTS = enum.auto()
    """As wide as its widest text, of the first rows."""
    STRETCH = enum.auto()
    """What the others leave."""


class Column(msgspec.Struct, frozen=True):
    """One column of a table."""

    title: str
    tip: str = ""
    width: Width | int | str = Width.CONTENTS
    """Pixels that a person may drag, or the widest text to expect: measuring rows whenever a number changes is slow."""
    right: bool = False
    """Numbers stand at the right."""
    bar: bool = False
    """Its cells draw their fraction as a thin bar."""
    most: int = 0
    """Pixels that a column as wide as its contents takes at most; a person may drag it from there."""
    wraps: bool = False
    """Its texts take as many lines as they need; elsewhere a line's end is a sign, and all rows are equally high."""
    needs: int = 0
    """Pixels of width that the table needs before the column is shown."""


class Cell(msgspec.Struct, frozen=True, gc=False):
    """One field of a row. Colours are names of the theme's, so that they follow it."""

    text: str = ""
    sort: float | None = None
    """What it is sorted by where its text would sort wrongly (numbers with units)."""
    tooltip: str = ""
    color: str = ""
    monospace: bool = False
    bold: bool = False
    fraction: float | None = None
    """Length of its bar, 0 to 1."""
    bar_color: str = ""
    """``#rrggbb`` or a colour of the theme; the accent where empty."""
    mark: str = ""
    """A shape of `MARK_SHAPES` before its text, or ``none`` for the room of one."""
    mark_color: str = ""
    alarm: bool = False
    """Bold on the colour of errors, whether its row is selected or not."""
    ticked: bool | None = None
    """Whether its box is ticked; without a box where None."""
    edit: str | None = None
    """The text that a person may type over; nothing where None."""


class Row(msgspec.Struct, frozen=True):
    """One row. Its key says which of the rows before it is; it differs from its siblings' keys."""

    key: Hashable
    cells: tuple[Cell, ...]
    children: tuple["Row", ...] = ()
    value: object = None
    """Whatever the pane wants back when the row is clicked."""
    found_by: str = ""
    """Another text that the filter finds it by."""
    later: "Callable[[], tuple[Row, ...]] | None" = None
    """Makes its children in place of `children` when somebody unfolds it or looks for something: there may be thousands."""
    open: bool = False
    """Whether it is unfolded when it comes, or from when this changes; what the person folds meanwhile stays so."""
    spanned: bool = False
    """Its first cell takes the whole line."""
    enabled: bool = True
    """Else it is grey, and neither selected nor walked to."""


@dataclass(slots=True)
class Draft:
    """A row that goes on getting children."""

    row: Row
    children: list["Draft"] = field(default_factory=list)


def rows_of(drafts: Sequence[Draft]) -> tuple[Row, ...]:
    """The rows with all that is inside them, however deep."""
    order: list[Draft] = []
    stack = list(drafts)
    while stack:
        order.append(draft := stack.pop())
        stack += draft.children
    for draft in reversed(order):
        if draft.children:
            draft.row = msgspec.structs.replace(
                draft.row, children=tuple(child.row for child in draft.children)
            )
    return tuple(draft.row for draft in drafts)


def nested(rows: Iterable[tuple[int, Row]]) -> tuple[Row, ...]:
    """Rows that say how deep they stand, 0 outermost, each inside the last one before it that stands less deep."""
    tops: list[Draft] = []
    path: list[Draft] = []
    for depth, row in rows:
        del path[max(depth, 0) :]
        draft = Draft(row)
        (path[-1].children if path else tops).append(draft)
        path.append(draft)
    return rows_of(tops)
