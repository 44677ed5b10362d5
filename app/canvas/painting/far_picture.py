"""The crowd of boxes and arrows that one sees from far away, as one picture; made again only when the view moves."""

import operator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.far_geometry import Pixels
from app.canvas.marks import BoxMarks
from app.canvas.painting.brushes import Brushes
from app.canvas.painting.node_painting import color_of, far_key
from app.canvas.scene import Scene

CROWD = 500
"""From so many boxes in view on they are drawn together, where they are specks anyway."""


@dataclass
class _Colors:
    """Colours of all boxes, with what they were made of."""

    tints: tuple[object, object]
    look: Brushes
    values: Pixels


class FarPicture:
    """Paints one scene's crowd."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._colors: _Colors | None = None
        self._key: tuple[object, ...] = ()
        self._pixels: Pixels | None = None

    def paint(
        self, painter: QPainter, area: QRectF, marks: BoxMarks, look: Brushes, ratio: float = 1.0
    ) -> None:
        """Paint all boxes and arrows of an area, without marks. `ratio`: device pixels per pixel."""
        transform = painter.worldTransform()
        location = transform.mapRect(area)
        scale = transform.m11() * ratio
        width, height = max(1, round(location.width() * ratio)), max(1, round(location.height() * ratio))
        colors = self._box_colors(marks, look)
        key = (area.left(), area.top(), scale, width, height, look.colors, id(colors))
        if key != self._key or self._pixels is None:
            self._pixels = self._drawn(area, scale, width, height, colors.values, look)
            self._key = key
        pixels = self._pixels
        image = QImage(
            pixels.data.cast("B"), width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied
        )
        image.setDevicePixelRatio(ratio)
        painter.save()
        painter.resetTransform()
        painter.drawImage(QPointF(location.topLeft()), image)
        painter.restore()

    def _drawn(
        self, area: QRectF, scale: float, width: int, height: int, colors: Pixels, look: Brushes
    ) -> Pixels:
        pixels = np.zeros((height, width), dtype=np.uint32)
        edge = QColor(look.color("edge"))
        edge.setAlpha(150)
        geometry = self._scene.far
        geometry.draw_lines(pixels, area.left(), area.top(), scale, premultiplied(edge))
        geometry.draw_boxes(pixels, area.left(), area.top(), (scale, scale), colors)
        return pixels

    def _box_colors(self, marks: BoxMarks, look: Brushes) -> _Colors:
        tints = (marks.nodes.tints, marks.nodes.painting)
        known = self._colors
        if known is None or known.look is not look or any(map(operator.is_not, known.tints, tints)):
            values = (
                self._painted(marks, look) if marks.nodes.painting is not None else self._tinted(marks, look)
            )
            known = self._colors = _Colors(tints, look, values)
        return known

    def _painted(self, marks: BoxMarks, look: Brushes) -> Pixels:
        keys = [far_key(box, marks) for box in self._scene.layout.boxes]
        made = {key: premultiplied(color_of(key, look)) for key in set(keys)}
        return np.fromiter(map(made.__getitem__, keys), np.uint32, len(keys))

    def _tinted(self, marks: BoxMarks, look: Brushes) -> Pixels:
        """One colour for each kind of box and each tint there is, since there are few and boxes are many."""
        boxes, geometry, tints = self._scene.layout.boxes, self._scene.far, marks.nodes.tints
        found = np.fromiter((tints.get(box.id, -1) for box in boxes), np.int64, len(boxes))
        count = len(geometry.kinds)
        pairs, which = np.unique((found + 1) * count + geometry.kind_of, return_inverse=True)
        looks = [(far_key(geometry.kinds[pair % count], marks), pair // count - 1) for pair in pairs.tolist()]
        made = [
            premultiplied(color_of((role, lane, module, None if module or tint < 0 else tint, painted), look))
            for (role, lane, module, _, painted), tint in looks
        ]
        return np.array(made, dtype=np.uint32)[which]


def premultiplied(color: QColor) -> int:
    """A colour as a pixel of a premultiplied picture."""
    alpha = color.alpha()
    red, green, blue = (part * alpha // 255 for part in (color.red(), color.green(), color.blue()))
    return alpha << 24 | red << 16 | green << 8 | blue
