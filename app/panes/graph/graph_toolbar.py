"""The row above the canvas: what is shown, zoom, how much is collapsed, search, minimap."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QSizePolicy,
    QSpacerItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import fonts
from app.theme.icons import icon
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.labels.elided_label import ElidedLabel

_CROWDED = (
    (True, True, True, True),
    (False, True, True, True),
    (False, False, True, True),
    (False, False, False, True),
    (False, False, False, False),
)
"""Whether counts, words beside icons, the zoom and its buttons (wheel and keys zoom too) are there, the widest first."""
_CHANGING_SIZES = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
_MOST_ROUNDS = 3
"""Of arranging, where that makes the row itself wider or narrower."""


class GraphToolbar(QWidget):
    """Buttons say what they are for and its key; the pane does it."""

    fit_asked = Signal()
    zoom_in_asked = Signal()
    zoom_out_asked = Signal()
    search_asked = Signal()
    minimap_toggled = Signal(bool)
    group_asked = Signal(str)
    """Gather boxes by this."""
    filters_asked = Signal()
    color_asked = Signal(str)
    """Colour boxes by this."""
    depth_asked = Signal(int)
    """Open so many levels of modules; 0 collapses all."""
    _arranged: tuple[object, ...] | None = None
    """What the row was last arranged for, see `_state`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graphToolbar")
        self._icons: list[tuple[QToolButton, str]] = []
        self._worded: list[QToolButton] = []
        self._groupings: Mapping[str, str] = {}
        self._grouping = ""
        self._drawn = True
        self._arranging = False
        self._restyled = QTimer(self, interval=0, singleShot=True)
        """A look takes its style sheet off before it puts another one on: buttons have other sizes for a moment."""
        self._restyled.timeout.connect(self._make_room)
        self._zooming: list[QToolButton] = []
        self.title = ElidedLabel("", self)
        self.title.setFont(fonts.interface(bold=True))
        self.counts = QLabel(self)
        self.counts.setEnabled(False)
        self.zoom = QLabel(self)
        self.zoom.setMinimumWidth(self.zoom.fontMetrics().horizontalAdvance("100 %") + 4)
        self.zoom.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 3, 6, 3)
        self._column.setSpacing(0)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._row = QHBoxLayout()
        self._row.setSpacing(2)
        self._row.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding))
        self._row.addWidget(self.title, 1)
        self._column.addLayout(self._row)
        self._row.addWidget(self.counts)
        self._row.addSpacing(8)
        self.depth_button = self._button(
            "expand", tr("Open and collapse; gather by module or by kernel"), None
        )
        self.depth_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.depth_menu = QMenu(self)
        self.depth_button.setMenu(self.depth_menu)
        self.color_button = self._text_button("colour", tr("Colour"), tr("What boxes are coloured by"))
        self.color_menu = QMenu(self)
        self.color_button.setMenu(self.color_menu)
        self.filter_button = self._text_button(
            "filter", tr("Filters"), tr("Hide and show nodes by queries (Ctrl+Shift+L)")
        )
        self.filter_button.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        self.filter_button.clicked.connect(self.filters_asked)
        zoom_out = self._button("zoom-out", tr("Zoom out (-)"), self.zoom_out_asked.emit)
        self._row.addWidget(self.zoom)
        self._zooming = [zoom_out, self._button("zoom-in", tr("Zoom in (+)"), self.zoom_in_asked.emit)]
        self._button("fit", tr("Show everything (Space)"), self.fit_asked.emit)
        self._button("search", tr("Search (/)"), self.search_asked.emit)
        self.minimap = self._button("minimap", tr("Overview in the corner"), None)
        self.minimap.setCheckable(True)
        self.minimap.setChecked(True)
        self.minimap.toggled.connect(self.minimap_toggled)
        self.refresh_icons()

    def _button(self, name: str, tip: str, slot: Callable[[], None] | None) -> QToolButton:
        button = tool_button(self, "", tip, slot)
        self._place(name, button)
        return button

    def _text_button(self, name: str, text: str, tip: str) -> QToolButton:
        button = tool_button(self, text, tip)
        self._worded.append(button)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._place(name, button)
        return button

    def _place(self, name: str, button: QToolButton) -> None:
        button.setIconSize(QSize(18, 18))
        button.setObjectName(f"graph-{name}")
        self._icons.append((button, name))
        self._row.addWidget(button)

    def set_groupings(self, titles: Mapping[str, str], chosen: str) -> None:
        """Offer these to gather boxes by; one is chosen."""
        self._groupings, self._grouping = titles, chosen

    def set_colorings(self, titles: Mapping[str, str], chosen: str) -> None:
        """Offer these to colour by; one is chosen."""
        if not self.color_menu.actions():
            group = QActionGroup(self.color_menu)
            for name, title in titles.items():
                action = self.color_menu.addAction(title)
                action.setCheckable(True)
                action.setData(name)
                group.addAction(action)
                action.triggered.connect(lambda _checked=False, name=name: self.color_asked.emit(name))
        for action in self.color_menu.actions():
            action.setChecked(action.data() == chosen)
        self.color_button.setToolTip(
            tr("Boxes are coloured by: {value}").format(value=titles[chosen].lower())
        )

    def set_title(self, title: str) -> None:
        """Say what is shown below."""
        self.title.setText(title)
        self._make_room()

    def set_counts(self, counts: str) -> None:
        """Say how much of it there is."""
        self.counts.setText(counts)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _CHANGING_SIZES and self._arranged is not None:
            self._restyled.start()

    def minimumSizeHint(self) -> QSize:
        """What its buttons need as icons: words that are there now must not keep a dock from getting narrower."""
        edges = self._column.contentsMargins()
        staying = [button for button in self.buttons if button not in self._zooming]
        width = sum(button.minimumSizeHint().height() + self._row.spacing() for button in staying)
        return QSize(width + edges.left() + edges.right(), super().minimumSizeHint().height())

    def _make_room(self) -> None:
        """The whole title matters more than the count, the words beside icons, and zooming: in this order they go. Where it has no
        room even so, it gets a line of its own.
        """
        if self._arranging:  # what is tried changes the least width, and so may come back as another resize
            return
        if self._arranged == self._state():  # each trial asks all buttons for their sizes
            return
        self._arranging = True
        try:
            for _ in range(_MOST_ROUNDS):
                width = self.width()
                self._arrange()
                if self.width() == width:
                    break
        finally:
            self._arranging = False
        self._arranged = self._state()

    def _state(self) -> tuple[object, ...]:
        """Width, texts, whether there is a drawing, and the sizes of buttons with and without words."""
        sizes = (button.sizeHint().toTuple() for button in (self.minimap, self.color_button))
        texts = self.title.text(), self.title.font().toString(), self.counts.text()
        return self.width(), *texts, self._drawn, *sizes

    def _arrange(self) -> None:
        wanted = self.title.fontMetrics().horizontalAdvance(self.title.text()) + 2
        fits = self._drop_until_it_fits(wanted)
        self._put_title_above(not fits)
        if not fits:
            self._drop_until_it_fits(0)

    def _drop_until_it_fits(self, wanted: int) -> bool:
        """Whether so many pixels are left for the title."""
        edges = self._column.contentsMargins()
        room = self.width() - edges.left() - edges.right() - wanted
        for counted, worded, zoomed, stepped in _CROWDED:
            self.counts.setVisible(counted)
            style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
            for button in self._worded:
                button.setToolButtonStyle(style if worded else Qt.ToolButtonStyle.ToolButtonIconOnly)
            self.zoom.setVisible(self._drawn and zoomed)
            for button in self._zooming:
                button.setVisible(self._drawn and stepped)
            self._row.invalidate()  # within another layout it does not hear of what was hidden
            if self._row.minimumSize().width() <= room:
                return True
        return False

    def _put_title_above(self, above: bool) -> None:
        is_above = self._column.indexOf(self.title) >= 0
        if above and not is_above:
            self._row.removeWidget(self.title)
            self._column.insertWidget(0, self.title)
        elif is_above and not above:
            self._column.removeWidget(self.title)
            self._row.insertWidget(1, self.title, 1)

    @property
    def buttons(self) -> list[QToolButton]:
        """From left to right."""
        return [button for button, _ in self._icons]

    def set_drawn(self, drawn: bool) -> None:
        """Whether there is a drawing below; a text needs none of these buttons."""
        if drawn == self._drawn:
            return
        self.setMinimumHeight(0 if drawn else self.height())  # what is below does not jump
        self._drawn = drawn
        for widget in self.buttons:
            widget.setVisible(drawn)
        self._make_room()

    def set_filled(self, filled: bool, filterable: bool) -> None:
        """Whether there is something to look at; `filterable`: or would be with other filters."""
        for button in self.buttons:
            button.setEnabled(filled or (filterable and button is self.filter_button))

    def refresh_icons(self) -> None:
        """The look changed."""
        for button, name in self._icons:
            button.setIcon(icon(name))

    def set_depths(self, deepest: int) -> None:
        """Offer the levels that there are."""
        self.depth_menu.clear()
        rows = [(tr("Collapse all"), 0)]
        rows += [(tr("Open %n level(s)", None, level), level) for level in range(1, deepest)]
        rows += [(tr("Expand all"), deepest)]
        for text, depth in rows:
            action = self.depth_menu.addAction(text)
            action.setData(depth)
            action.setEnabled(deepest > 0)
            action.triggered.connect(lambda _checked=False, level=depth: self.depth_asked.emit(level))
        self.depth_menu.addSeparator()
        for name, text in self._groupings.items():
            action = self.depth_menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(name == self._grouping)
            action.triggered.connect(lambda _checked=False, name=name: self.group_asked.emit(name))

    def set_zoom(self, zoom: float) -> None:
        """Show the zoom in per cent."""
        self.zoom.setText(f"{zoom * 100:.{0 if zoom >= 0.01 else 1}f} %")
