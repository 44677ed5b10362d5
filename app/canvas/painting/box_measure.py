"""How large boxes are: from tables of letter widths, made once with Qt, then usable in any thread."""

from functools import cache

from PySide6.QtGui import QFont, QFontMetricsF

from app.graph_layout.geometry import Chip, Measured, Rect
from app.graph_layout.module_tree import Module
from app.theme import fonts
from app.translation.texts import tr
from compiler.model.diagrams.diagrams import DiagramNode

TITLE_PIXELS = 13.0
DETAIL_PIXELS = 11.0
CHIP_PIXELS = 10.0
TITLE_LINE = 19.0
DETAIL_LINE = 16.0
CHIP_HEIGHT = 17.0

_LEFT, _RIGHT, _TOP, _BOTTOM = 14.0, 12.0, 6.0, 7.0
_NARROWEST, _WIDEST, _STEP = 88.0, 336.0, 8.0
_CHIP_PADDING, _CHIP_GAP, _WIDEST_CHIP = 14.0, 5.0, 120.0
_CHIP_ROW = 190.0


@cache
def title_font() -> QFont:
    """Font of a box's first line."""
    return fonts.canvas(TITLE_PIXELS, bold=True)


@cache
def large_title_font(pixels: int) -> QFont:
    """Font of a title that grows while one zooms out."""
    return fonts.canvas(pixels)


@cache
def detail_font() -> QFont:
    """Font of a box's second line and of stubs."""
    return fonts.canvas(DETAIL_PIXELS)


@cache
def chip_font() -> QFont:
    """Font of the small ports."""
    return fonts.canvas(CHIP_PIXELS)


class LetterWidths:
    """Widths of texts in one font, near enough for a box (kerning is left out)."""

    def __init__(self, font: QFont) -> None:
        metrics = QFontMetricsF(font)
        self._widths = {chr(code): metrics.horizontalAdvance(chr(code)) for code in range(32, 256)}
        self._other = metrics.horizontalAdvance("W")

    def of(self, text: str) -> float:
        """Width of a text in scene units."""
        return sum(self._widths.get(letter, self._other) for letter in text)


def second_line(node: DiagramNode) -> str:
    """Name and type, leaving out a name that the title says already."""
    name = "" if node.name == node.title else node.name
    return " · ".join(part for part in (name, node.detail) if part)


def module_line(repeats: int, count: int) -> str:
    """What a collapsed module, or a run of equal ones, says about its inside."""
    times = f"×{repeats} · " if repeats > 1 else ""
    return tr("{times}{count:,} node(s)", None, count).format(times=times, count=count)


class BoxMeasure:
    """Sizes of nodes and collapsed modules. Make it in the window's thread; use it anywhere."""

    def __init__(self) -> None:
        self._title = LetterWidths(title_font())
        self._detail = LetterWidths(detail_font())
        self._chip = LetterWidths(chip_font())

    def node(self, node: DiagramNode, chips: tuple[Chip, ...]) -> Measured:
        detail = second_line(node)
        text = max(self._title.of(node.title), self._detail.of(detail))
        widths = [min(self._chip.of(chip.label) + _CHIP_PADDING, _WIDEST_CHIP) for chip in chips]
        room = max(_CHIP_ROW, min(text, _WIDEST))
        locations, rows, reach = _flow(widths, room)
        width = _rounded(max(text, reach) + _LEFT + _RIGHT)
        text_height = TITLE_LINE + (DETAIL_LINE if detail else 0)
        height = _TOP + text_height + _BOTTOM + rows * (CHIP_HEIGHT + 4)
        y = _TOP + text_height + 3
        placed = tuple(
            Rect(_LEFT + x, y + row * (CHIP_HEIGHT + 4), w, CHIP_HEIGHT) for x, row, w in locations
        )
        return Measured(width, height, placed)

    def module(self, module: Module, title: str) -> Measured:
        detail = module_line(module.repeats, sum(1 for _ in module.nodes()))
        width = _rounded(max(self._title.of(title), self._detail.of(detail) + 8) + _LEFT + _RIGHT + 34)
        return Measured(width, _TOP + TITLE_LINE + DETAIL_LINE + _BOTTOM + 4)


def _rounded(width: float) -> float:
    """Widths in steps, so that boxes of much the same text line up."""
    steps = -(-width // _STEP)
    return min(max(steps * _STEP, _NARROWEST), _WIDEST)


def _flow(widths: list[float], room: float) -> tuple[list[tuple[float, int, float]], int, float]:
    """Chips in rows no wider than `room`: (x, row, width) each, the number of rows, and the widest row."""
    locations: list[tuple[float, int, float]] = []
    x, row, reach = 0.0, 0, 0.0
    for width in widths:
        if x and x + width > room:
            x, row = 0.0, row + 1
        locations.append((x, row, width))
        x += width + _CHIP_GAP
        reach = max(reach, x - _CHIP_GAP)
    return locations, (row + 1 if widths else 0), reach
