"""The one item of the scene. It paints what is in view from indices; nothing is an item of its own."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app.canvas.marks import BoxMarks, Marks, boxes_of
from app.canvas.painting import edge_painting
from app.canvas.painting.box_measure import module_line, second_line
from app.canvas.painting.brushes import Brushes, brushes
from app.canvas.painting.far_picture import CROWD, FarPicture
from app.canvas.painting.frame_titles import paint_frame_titles, title_places
from app.canvas.painting.ground_painting import paint_frame, paint_lane
from app.canvas.painting.node_painting import SHAPES_FROM, paint_box, paint_speck_mark
from app.canvas.scene import Hit, Scene, to_qt
from app.graph_layout.geometry import Box, Layout
from app.theme.current import colors
from app.translation.texts import lines_more, tr

_MOST_TIP_LINES = 12
_LEAST_FRAME = 5.0
"""Open modules that are less high on the screen are not drawn."""


class GraphItem(QGraphicsItem):
    """Paints a `Scene` with `Marks` on it. Changing either repaints; painting changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.scene_data = Scene(Layout())
        self._far = FarPicture(self.scene_data)
        self.marks = BoxMarks()
        self._node_marks = Marks()

    def set_scene(self, scene: Scene) -> None:
        """Show another layout."""
        self.prepareGeometryChange()
        self.scene_data = scene
        self._far = FarPicture(scene)
        self.set_marks(self._node_marks)

    def set_marks(self, marks: Marks) -> None:
        """Mark other nodes."""
        self._node_marks = marks
        self.marks = boxes_of(marks, self.scene_data.layout)
        self.update()

    def boundingRect(self) -> QRectF:
        return to_qt(self.scene_data.layout.bounds).adjusted(-60, -60, 60, 60)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        area: QRectF = option.exposedRect
        zoom = painter.worldTransform().m11()
        look = brushes(colors())
        scene = self.scene_data
        self._paint_frames(painter, area, look, zoom)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= 0.1)
        if zoom < SHAPES_FROM and scene.crowded(area, CROWD):
            ratio = widget.devicePixelRatioF() if widget is not None else 1.0
            self._far.paint(painter, area, self.marks, look, ratio)
            self._paint_lit(painter, area, look, zoom)
            for box in edge_painting.seen_boxes(scene, self.marks.marked(), area):
                paint_speck_mark(painter, box, self.marks, look, zoom)
        else:
            self._paint_ground(painter, area, look, zoom)
            self._paint_lit(painter, area, look, zoom)
            for box in scene.boxes_in(area):
                paint_box(painter, box, self.marks, look, zoom)
        places = title_places(scene, _in_view(painter, widget, area), zoom)
        paint_frame_titles(painter, (place for place in places if not place.held), look, zoom)
        self._paint_revealed(painter, look, zoom)

    def _paint_frames(self, painter: QPainter, area: QRectF, look: Brushes, zoom: float) -> None:
        for band in self.scene_data.layout.lanes:
            paint_lane(painter, band, area, look)
        for frame in self.scene_data.frames_in(area, _LEAST_FRAME / zoom):
            paint_frame(painter, frame, area, look, zoom)

    def _paint_ground(self, painter: QPainter, area: QRectF, look: Brushes, zoom: float) -> None:
        scene = self.scene_data
        edge_painting.paint_edges(painter, scene, scene.edges_in(area), look, zoom)
        for stub in scene.stubs_in(area):
            edge_painting.paint_stub(painter, stub, look, zoom)

    def _paint_lit(self, painter: QPainter, area: QRectF, look: Brushes, zoom: float) -> None:
        """Arrows of hovered and selected boxes, over the others and under the boxes."""
        scene = self.scene_data
        visible = set(scene.edges_in(area))
        for ids, name in ((self.marks.hovered, "hovered"), (self.marks.pinned, "pinned")):
            for box in edge_painting.lit_boxes(scene, ids):
                for number in scene.edges_of.get(box.id, ()):
                    if number in visible:
                        edge_painting.paint_lit_edge(painter, scene, number, look.color(name), zoom)

    def _paint_revealed(self, painter: QPainter, look: Brushes, zoom: float) -> None:
        """Cut arrows of hovered and selected boxes in full."""
        scene = self.scene_data
        for box in edge_painting.lit_boxes(scene, self.marks.hovered | self.marks.pinned):
            for stub in scene.stubs_of.get(box.id, ()):
                edge_painting.paint_whole_stub(painter, scene, stub, look, zoom)

    def tip(self, hit: Hit) -> str:
        """The tooltip of what is under the mouse."""
        if hit.box is not None:
            return self._box_tip(hit.box, hit.node)
        if hit.stub is not None:
            lines = [
                f"{end.source} → {end.target}  {end.label}".rstrip()
                for end in hit.stub.ends[:_MOST_TIP_LINES]
            ]
            return "\n".join((*lines, *lines_more(len(hit.stub.ends) - len(lines))))
        if hit.frame is not None:
            return tr("{names}\nDouble-click to collapse").format(names=".".join(hit.frame.path))
        return ""

    def _box_tip(self, box: Box, node: str) -> str:
        problem = self.marks.problems.get(box.id, "")
        if box.node is None:
            how = (
                tr("Double-click to open")
                if box.repeats == 1
                else tr("All equal. Double-click to open the first")
            )
            lines = [".".join(box.path), module_line(box.repeats, len(box.members)), how]
        elif node != box.node.id:
            lines = [node]
        else:
            module = tr("in {names}").format(names=".".join(box.path)) if box.path else ""
            lines = [box.node.title, second_line(box.node), module]
        return "\n".join(line for line in (*lines, problem) if line)


def _in_view(painter: QPainter, widget: QWidget | None, area: QRectF) -> QRectF:
    """All that a view shows, of which it may paint only an area again; the area itself in a picture."""
    if widget is None:
        return area
    back, _ = painter.worldTransform().inverted()
    return back.mapRect(QRectF(widget.rect()))
