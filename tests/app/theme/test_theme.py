"""The look: palettes, icons and readable colours."""

from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QGroupBox, QLineEdit, QRadioButton, QWidget

from app.theme import current
from app.theme.colors import DARK, LIGHT, Colors
from app.theme.icons import app_icon, icon
from app.theme.palette import apply, blend, palette_of, stylesheet_of

_Role = QPalette.ColorRole


def contrast(first: str, second: str) -> float:
    """Contrast ratio as WCAG defines it."""

    def luminance(text: str) -> float:
        color = QColor(text)
        parts = (color.redF(), color.greenF(), color.blueF())
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_text_is_readable_on_every_background(colors: Colors):
    for background in (colors.window, colors.panel, colors.node, *colors.links):
        assert contrast(colors.text, background) >= 7


COLOURED = (
    "dim_text", "accent", "error", "warning", "good", "extern", "edited", "collective", "fused", "forward", "backward",
    "parameter", "input",
)  # fmt: skip


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", COLOURED)
def test_coloured_text_is_readable_where_it_stands(look: Colors, name: str):
    for background in (look.panel, look.window, look.node):
        assert contrast(getattr(look, name), background) >= 4.5, background


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_selected_text_is_readable(look: Colors):
    palette = palette_of(look)
    text, background = (palette.color(role).name() for role in (_Role.HighlightedText, _Role.Highlight))
    assert contrast(text, background) >= 4.5


def test_looks_differ_in_everything_that_carries_them():
    assert palette_of(LIGHT).color(QPalette.ColorRole.Window) == QColor(LIGHT.window)
    assert stylesheet_of(LIGHT) != stylesheet_of(DARK)
    assert len(LIGHT.links) == len(DARK.links)
    assert blend("#000000", "#ffffff", 0.5) == "#808080"


def test_a_change_of_look_is_reported_once(qtbot):
    with qtbot.waitSignal(current.signals().changed):
        current.set_colors(DARK)
    try:
        with qtbot.assertNotEmitted(current.signals().changed):
            current.set_colors(DARK)
        assert current.colors() is DARK
    finally:
        current.set_colors(LIGHT)


def test_every_icon_draws_in_the_colour_of_the_text(qapp, monkeypatch):
    monkeypatch.setattr("app.theme.icons.colors", lambda: replace(LIGHT, text="#ff0000"))
    names = [entry.name.removesuffix(".svg") for entry in files("resources").joinpath("icons").iterdir()]
    for name in sorted(set(names) - {"loupe"}):
        image = icon(name).pixmap(QSize(24, 24)).toImage()
        assert _reddest(image) > 150, name
    assert not app_icon().isNull()
    with pytest.raises(FileNotFoundError):
        icon("nothing")


def _reddest(image: QImage) -> int:
    locations = ((x, y) for x in range(image.width()) for y in range(image.height()))
    colors = (image.pixelColor(x, y) for x, y in locations)
    return max(color.red() for color in colors if color.alpha() > 120)


class _Dressed(QObject):
    """How often each widget was told of another style."""

    def __init__(self) -> None:
        super().__init__()
        self.times: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.StyleChange:
            self.times[watched.objectName()] += 1
        return False


def test_another_look_dresses_each_widget_alike_often_however_deep_it_stands(qtbot, qapp):
    """Qt does it once for each widget around it where one sheet takes another's place: seconds in a window of ours."""
    apply(qapp, LIGHT)
    outermost = within = QWidget()
    outermost.setObjectName("depth 0")
    qtbot.addWidget(outermost)
    for depth in range(1, 9):
        within = QWidget(within)
        within.setObjectName(f"depth {depth}")
    line = QLineEdit(within)
    outermost.show()
    dressed = _Dressed()
    qapp.installEventFilter(dressed)
    try:
        apply(qapp, DARK)
        assert line.palette().color(_Role.Text) == QColor(DARK.text)
        assert dressed.times["depth 8"] == dressed.times["depth 0"] > 0
    finally:
        qapp.removeEventFilter(dressed)
        apply(qapp, LIGHT)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_boxes_to_tick_have_an_edge_that_is_seen(qapp: QApplication, colors: Colors, qtbot) -> None:
    """Fusion's are darker than the ground: in the dark look there was none."""
    before = current.colors()
    apply(qapp, colors)
    try:
        for kind in (QCheckBox, QRadioButton, QGroupBox):
            box = kind()
            qtbot.addWidget(box)
            if isinstance(box, QGroupBox):
                box.setCheckable(True)
                box.setChecked(False)
            box.resize(60, 30)
            box.show()
            image = box.grab().toImage()
            left = (image.pixelColor(x, y).name() for x in range(14) for y in range(image.height()))
            assert max(contrast(name, colors.window) for name in left) >= (2.5 if colors.dark else 1.5)
    finally:
        apply(qapp, before)
