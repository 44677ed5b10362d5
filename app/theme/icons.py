"""Icons from resources/icons, tinted with a colour of the look, so that one drawing serves light and dark."""

from functools import cache

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.theme.current import colors
from compiler.installation import RESOURCES

_SIZES = (16, 20, 24, 32, 48)
_APP_SIZES = (16, 24, 32, 48, 64, 128, 256)


def icon(name: str, color: str | None = None) -> QIcon:
    """The icon ``name`` (the file's name without ``.svg``), in `color` or the look's text colour.

    Raises FileNotFoundError for a name that no file has. An icon keeps its colours: ask again after a change of look.
    """
    return _tinted(name, color or colors().text, colors().dim_text)


def app_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    return _rendered(_drawing("loupe"), None, _APP_SIZES)


@cache
def _tinted(name: str, color: str, disabled: str) -> QIcon:
    made = _rendered(_drawing(name), color, _SIZES)
    faint = _rendered(_drawing(name), disabled, _SIZES)
    for size in _SIZES:
        made.addPixmap(_faded(faint.pixmap(QSize(size, size))), QIcon.Mode.Disabled)
    return made


def _faded(pixmap: QPixmap) -> QPixmap:
    result = QPixmap(pixmap.size())
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    painter.setOpacity(0.55)
    painter.drawPixmap(0, 0, pixmap)
    painter.end()
    return result


@cache
def _drawing(name: str) -> str:
    return (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def _rendered(drawing: str, color: str | None, sizes: tuple[int, ...]) -> QIcon:
    text = drawing if color is None else drawing.replace("currentColor", color)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    result = QIcon()
    for size in sizes:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        result.addPixmap(pixmap)
    return result
