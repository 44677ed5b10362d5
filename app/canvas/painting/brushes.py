"""Colours of the look as Qt objects, made once a look."""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from app.graph_layout.geometry import Box
from app.theme.colors import Colors
from app.theme.current import colors as active_colors
from app.theme.palette import blend

_ROLES = {
    "input": "input",
    "tangent": "backward",
    "saved": "input",
    "parameter": "parameter",
    "attribute": "parameter",
    "getitem": "parameter",
    "output": "input",
    "extern": "extern",
    "fused": "fused",
    "kernel": "fused",
    "collective": "collective",
    "equal": "parameter",
}


@dataclass(frozen=True)
class Brushes:
    """Everything the painters need of a look."""

    colors: Colors
    canvas: QColor
    links: tuple[QColor, ...]

    def color(self, name: str) -> QColor:
        """A colour of the look by its use."""
        return _color(getattr(self.colors, name))

    def role(self, box: Box) -> QColor:
        """The colour of what a box is."""
        return self.color("accent") if box.node is None else self.role_color(box.node.role, box.lane)

    def role_color(self, role: str, lane: str) -> QColor:
        """The colour of a node's role in a lane."""
        return self.color(_ROLES.get(role, "backward" if lane == "backward" else "forward"))

    def faint(self, name: str, alpha: int) -> QColor:
        """A colour of the look, partly transparent."""
        color = QColor(self.color(name))
        color.setAlpha(alpha)
        return color


@lru_cache(maxsize=4)
def brushes(colors: Colors) -> Brushes:
    """The brushes of a look."""
    canvas = blend(colors.window, colors.panel, 0.35)
    return Brushes(colors, QColor(canvas), tuple(QColor(link) for link in colors.links))


def pen(color: QColor, width: float, cosmetic: bool = False) -> QPen:
    """A round pen; a cosmetic one keeps its width on the screen at every zoom."""
    made = QPen(
        color,
        width * active_colors().line_scale,
        Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.RoundCap,
        Qt.PenJoinStyle.RoundJoin,
    )
    made.setCosmetic(cosmetic)
    return made


def mixed(first: QColor, second: QColor, amount: float) -> QColor:
    """A colour `amount` of the way from the first to the second."""
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * amount,
        first.greenF() + (second.greenF() - first.greenF()) * amount,
        first.blueF() + (second.blueF() - first.blueF()) * amount,
    )


@lru_cache(maxsize=256)
def _color(text: str) -> QColor:
    return QColor(text)
