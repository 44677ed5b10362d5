"""The whole graph in a corner, with what is in view outlined; drag in it to move."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from app.canvas.graph_view import GraphView
from app.canvas.painting.brushes import Brushes, brushes, pen
from app.canvas.painting.far_picture import premultiplied
from app.canvas.scene import to_qt
from app.graph_layout.geometry import Box
from app.places.corners import Corners, corners
from app.theme.current import colors
from app.translation.texts import tr

_LARGEST = QSize(190, 210)
_SMALLEST = 48
_MOST_ACROSS, _MOST_DOWN = 0.24, 0.4
"""Parts of the view that it may cover."""
_LEAST_ROOM = QSize(460, 200)
"""Over a smaller view the map covers more boxes than it finds."""
_INSET = 8
_AWAY = 12


class Minimap(QWidget):
    """Floats over the corner of its view that holds the fewest boxes and names, the lower right one where they are alike. Tall graphs
    are squeezed so that they stay visible. While one moves about it stays where it is.
    """

    def __init__(self, view: GraphView, color: Callable[[Box, Brushes], QColor] | None = None) -> None:
        """`color` where boxes have others than those of what they are."""
        super().__init__(view)
        self._color = color
        self._view = view
        self._picture: QPixmap | None = None
        self._values: tuple[Brushes, npt.NDArray[np.uint32]] | None = None
        """Of each box its colour as a pixel, in a look: the size of the map does not matter."""
        self._corner = 0
        """Which of `Corners`: the first is where it is looked for."""
        self._room = QSize()
        self._place_soon = QTimer(self, interval=0, singleShot=True)
        """A view that has got a layout or a size goes somewhere first."""
        self._place_soon.timeout.connect(self._place)
        self.wanted = True
        self.setObjectName("minimap")
        self.setAccessibleName(tr("Overview of the graph"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Overview: click or drag to move"))
        view.view_changed.connect(self.follow)
        self.hide()

    def refresh(self) -> None:
        """The layout or the look changed."""
        self._picture = self._values = None
        self._place_soon.start()
        self.follow()
        self.update()

    def follow(self) -> None:
        """Stand in a corner; hide while all of the graph is in view."""
        bounds = to_qt(self._view.scene_data.layout.bounds)
        seen = self._view.visible_area()
        room = self._view.viewport().size()
        useful = self.wanted and not bounds.isEmpty() and not seen.contains(bounds)
        if not useful or room.width() < _LEAST_ROOM.width() or room.height() < _LEAST_ROOM.height():
            self.hide()
            return
        widest, tallest = room.width() * _MOST_ACROSS, room.height() * _MOST_DOWN
        scale = min(
            min(_LARGEST.width(), widest) / bounds.width(), min(_LARGEST.height(), tallest) / bounds.height()
        )
        size = QSize(
            max(int(bounds.width() * scale), _SMALLEST) + 2 * _INSET,
            max(int(bounds.height() * scale), _SMALLEST) + 2 * _INSET,
        )
        if size != self.size():
            self._picture = None
        if self._room != room:
            self._room = room
            self._place_soon.start()
        self.setGeometry(self._corners(size)[self._corner])
        self.show()
        self.update()

    def _place(self) -> None:
        """Go to the corner with the fewest boxes and names of modules in view."""
        view = self._view
        scene = view.scene_data
        titles = view.titles()
        covered = []
        for area in map(view.map_area, self._corners(self.size())):
            named = sum(area.intersects(title.plate) for title in titles)
            covered.append(len(scene.boxes_in(area)) + named)
        self._corner = covered.index(min(covered))
        self.follow()

    def _corners(self, size: QSize) -> Corners:
        return corners(self._view.viewport().rect(), size, _AWAY)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = brushes(colors())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._picture is None:
            self._picture = self._draw()
        painter.drawPixmap(0, 0, self._picture)
        seen = self._to_map(self._view.visible_area()).intersected(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.setPen(pen(look.color("accent"), 1.5))
        painter.setBrush(look.faint("accent", 30))
        painter.drawRoundedRect(seen, 3, 3)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._move_view(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_view(event.position())

    def _move_view(self, location: QPointF) -> None:
        bounds = self._view.scene_data.layout.bounds
        across, down = self._scales()
        self._view.centerOn(
            bounds.x + (location.x() - _INSET) / across, bounds.y + (location.y() - _INSET) / down
        )

    def _scales(self) -> tuple[float, float]:
        bounds = self._view.scene_data.layout.bounds
        return (self.width() - 2 * _INSET) / bounds.width, (self.height() - 2 * _INSET) / bounds.height

    def _to_map(self, rect: QRectF) -> QRectF:
        bounds = self._view.scene_data.layout.bounds
        across, down = self._scales()
        x, y = _INSET + (rect.x() - bounds.x) * across, _INSET + (rect.y() - bounds.y) * down
        return QRectF(x, y, rect.width() * across, rect.height() * down)

    def _pixel_values(self, look: Brushes) -> npt.NDArray[np.uint32]:
        scene, color = self._view.scene_data, self._color
        if color is not None:
            return np.array([premultiplied(color(box, look)) for box in scene.layout.boxes], dtype=np.uint32)
        kinds = np.array([premultiplied(look.role(box)) for box in scene.far.kinds], dtype=np.uint32)
        return kinds[scene.far.kind_of]

    def _draw(self) -> QPixmap:
        """Boxes as specks in their colours; made once a layout."""
        look = brushes(colors())
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(look.color("line"), 1))
        painter.setBrush(look.faint("panel", 235))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        scene = self._view.scene_data
        bounds = scene.layout.bounds
        width, height = (max(1, round(side * ratio)) for side in (self.width(), self.height()))
        pixels = np.zeros((height, width), dtype=np.uint32)
        if self._values is None or self._values[0] is not look:
            self._values = look, self._pixel_values(look)
        values = self._values[1]
        across, down = (scale * ratio for scale in self._scales())
        left, top = bounds.x - _INSET * ratio / across, bounds.y - _INSET * ratio / down
        scene.far.draw_boxes(pixels, left, top, (across, down), values)
        image = QImage(
            pixels.data.cast("B"), width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied
        )
        image.setDevicePixelRatio(ratio)
        painter.drawImage(0, 0, image)
        painter.end()
        return picture
