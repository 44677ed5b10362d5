"""Fonts by their use. Sizes follow the system's, so that a person's larger text stays larger here."""

from PySide6.QtGui import QFont, QGuiApplication

_MONOSPACE = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "Ubuntu Mono",
    "Noto Sans Mono",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Monospace",
)


def interface(scale: float = 1.0, bold: bool = False) -> QFont:
    """The font of labels, `scale` times the system's size."""
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(_system_size() * scale)
    font.setBold(bold)
    return font


def monospace(scale: float = 1.0, bold: bool = False) -> QFont:
    """The font of code, `scale` times the system's size: the first of a list of good ones that is installed."""
    font = QFont()
    font.setFamilies(list(_MONOSPACE))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    font.setPointSizeF(_system_size() * scale)
    font.setBold(bold)
    return font


def canvas(pixels: float, bold: bool = False) -> QFont:
    """The font of boxes on a canvas, in scene units, so that a layout is the same on every screen."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(pixels))
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _system_size() -> float:
    """Points; a system that gives its font in pixels gets a usual size."""
    size = QGuiApplication.font().pointSizeF()
    return size if size > 0 else 10.0
