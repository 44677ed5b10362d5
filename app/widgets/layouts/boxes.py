"""Widgets below, beside, in place of each other, or scrolled, in one statement."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)


class Room(NamedTuple):
    """Room that is left empty and takes what is to spare."""

    stretch: int = 1


Part: TypeAlias = (
    QWidget
    | QLayout
    | Room
    | tuple[QWidget, int]
    | tuple[QLayout, int]
    | tuple[QWidget, int, Qt.AlignmentFlag]
)
"""What stands in a box; with how much it stretches, and where it stands in its room."""
Margins: TypeAlias = int | tuple[int, int, int, int]
"""In pixels, on all sides or left, top, right, below."""
_Box = TypeVar("_Box", bound=QBoxLayout)


def set_column(
    holder: QWidget, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Give a widget a layout in which the parts stand below each other; margins and spacing are the style's unless given."""
    return _filled(QVBoxLayout(holder), parts, margins, spacing)


def set_row(
    holder: QWidget, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """The same, with the parts beside each other."""
    return _filled(QHBoxLayout(holder), parts, margins, spacing)


def column_of(*parts: Part, margins: Margins | None = None, spacing: int | None = None) -> QVBoxLayout:
    """Parts below each other, to be put into another layout."""
    return _filled(QVBoxLayout(), parts, margins, spacing)


def row_of(*parts: Part, margins: Margins | None = None, spacing: int | None = None) -> QHBoxLayout:
    """Parts beside each other, to be put into another layout."""
    return _filled(QHBoxLayout(), parts, margins, spacing)


def as_widget(layout: QLayout, parent: QWidget | None = None) -> QWidget:
    """A widget that holds nothing but a layout."""
    widget = QWidget(parent)
    widget.setLayout(layout)
    return widget


def _filled(box: _Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> _Box:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        _add(box, part)
    return box


def _add(box: QBoxLayout, part: Part) -> None:
    match part:
        case Room():
            box.addStretch(part.stretch)
        case QWidget():
            box.addWidget(part)
        case QLayout():
            box.addLayout(part)
        case (QLayout() as layout, stretch):
            box.addLayout(layout, stretch)
        case (QWidget() as widget, stretch):
            box.addWidget(widget, stretch)
        case (QWidget() as widget, stretch, where):
            box.addWidget(widget, stretch, where)


def split_of(
    *widgets: QWidget,
    parent: QWidget | None = None,
    vertical: bool = False,
    sizes: Sequence[int] = (),
    collapsible: bool = False,
) -> QSplitter:
    """Widgets beside each other (`vertical`: below) with handles between them that the person drags."""
    split = QSplitter(Qt.Orientation.Vertical if vertical else Qt.Orientation.Horizontal, parent)
    split.setChildrenCollapsible(collapsible)
    for widget in widgets:
        split.addWidget(widget)
    if sizes:
        split.setSizes(sizes)
    return split


def set_pages(holder: QWidget, *pages: QWidget) -> QStackedLayout:
    """Give a widget a layout that shows one of the pages, at first the first."""
    stack = QStackedLayout(holder)
    for page in pages:
        stack.addWidget(page)
    return stack


def scroll_of(
    widget: QWidget, name: str, parent: QWidget | None = None, sideways: bool = True
) -> QScrollArea:
    """A widget that is scrolled where it has too little room; `sideways`: its width too, else it takes what there is."""
    area = QScrollArea(parent)
    area.setAccessibleName(name)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    if not sideways:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area
