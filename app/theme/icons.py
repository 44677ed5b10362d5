"""Icons from resources/icons, tinted with a colour of the look, so that one drawing serves light and dark."""

from collections.abc import Iterator
from functools import cache

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.theme.current import colors
from compiler.installation import RESOURCES

_SIZES = (16, 20, 24, 32, 48)
_FAINT = 0.55
"""Opacity of what is disabled."""
_APP_SIZES = (16, 24, 32, 48, 64, 128, 256)


def icon(name: str) -> QIcon:
    """The icon ``name`` (the file's name without ``.svg``), in the look's text colour.

    Raises FileNotFoundError for a name that no file has. An icon keeps its colours: ask again after a change of look.
    """
    return _tinted(name, colors().text, colors().dim_text)


def app_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    return _rendered(_drawing("loupe"), None, _APP_SIZES)


@cache
def _tinted(name: str, color: str, disabled: str) -> QIcon:
    made = _rendered(_drawing(name), color, _SIZES)
    for pixmap in _pixmaps(_drawing(name), disabled, _SIZES, _FAINT):
        made.addPixmap(pixmap, QIcon.Mode.Disabled)
    return made


@cache
def _drawing(name: str) -> str:
    return (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def _rendered(drawing: str, color: str | None, sizes: tuple[int, ...]) -> QIcon:
    result = QIcon()
    for pixmap in _pixmaps(drawing, color, sizes):
        result.addPixmap(pixmap)
    return result


def _pixmaps(
    drawing: str, color: str | None, sizes: tuple[int, ...], opacity: float = 1.0
) -> Iterator[QPixmap]:
    """Of so many pixels each, drawn and not taken from an icon, which gives more of them where a screen has more."""
    text = drawing if color is None else drawing.replace("currentColor", color)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    for size in sizes:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setOpacity(opacity)
        renderer.render(painter)
        painter.end()
        yield pixmap
