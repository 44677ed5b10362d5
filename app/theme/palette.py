"""Puts a look into force for all widgets: Fusion style, a palette, and a small stylesheet for what Fusion leaves plain."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.theme.colors import DARK, LIGHT, Colors
from app.theme.current import set_colors
from app.theme.plain_text import use_plain_text

_Role = QPalette.ColorRole
_Group = QPalette.ColorGroup


def system_colors(app: QApplication) -> Colors:
    """The look that the system asks for; light where Qt does not know (bare X11, offscreen)."""
    dark = app.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def apply(app: QApplication, colors: Colors) -> None:
    """Dress the whole application. May be called again at any time to change the look."""
    app.styleHints().setColorScheme(Qt.ColorScheme.Dark if colors.dark else Qt.ColorScheme.Light)
    use_plain_text(app)
    app.setPalette(palette_of(colors))
    sheet = stylesheet_of(colors)
    if app.styleSheet() != sheet:
        # where one sheet follows another, Qt dresses a widget once for each widget around it
        app.setStyleSheet("")
        app.setStyleSheet(sheet)
    set_colors(colors)


def palette_of(colors: Colors) -> QPalette:
    """The look as Qt's palette."""
    palette = QPalette()
    button = blend(colors.panel, colors.text, 0.04)
    rows = (
        (_Role.Window, colors.window),
        (_Role.WindowText, colors.text),
        (_Role.Base, colors.panel),
        (_Role.AlternateBase, blend(colors.panel, colors.text, 0.03)),
        (_Role.Text, colors.text),
        (_Role.PlaceholderText, colors.dim_text),
        (_Role.Button, button),
        (_Role.ButtonText, colors.text),
        (_Role.BrightText, colors.error),
        (_Role.ToolTipBase, colors.panel),
        (_Role.ToolTipText, colors.text),
        (_Role.Highlight, colors.accent),
        (_Role.HighlightedText, colors.window if colors.dark else "#ffffff"),
        (_Role.Accent, colors.accent),
        (_Role.Link, colors.accent),
        (_Role.LinkVisited, colors.extern),
        (_Role.Light, blend(button, "#ffffff", 0.10 if colors.dark else 0.60)),
        (_Role.Midlight, blend(colors.panel, colors.line, 0.50)),
        (_Role.Mid, colors.line),
        (_Role.Dark, blend(colors.line, "#000000", 0.25)),
        (_Role.Shadow, "#000000"),
    )
    for role, value in rows:
        palette.setColor(role, QColor(value))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(_Group.Disabled, role, QColor(blend(colors.dim_text, colors.window, 0.40)))
    palette.setColor(_Group.Disabled, _Role.Highlight, QColor(colors.line))
    return palette


def for_a_room(colors: Colors) -> Colors:
    """The look with more contrast and thicker lines: what a projector and the last row need."""
    text = "#ffffff" if colors.dark else "#000000"
    ground = "#0e1013" if colors.dark else "#ffffff"

    def strong(color: str) -> str:
        return blend(color, text, 0.35)

    return replace(
        colors,
        text=text,
        node_text=text,
        panel=ground,
        node=ground,
        dim_text=strong(colors.dim_text),
        line=strong(colors.line),
        edge=strong(colors.edge),
        accent=strong(colors.accent),
        line_scale=1.7,
    )


def blend(first: str, second: str, amount: float) -> str:
    """A colour `amount` of the way from the first to the second, as ``#rrggbb``."""
    a, b = QColor(first), QColor(second)
    mixed = (
        round(x + (y - x) * amount)
        for x, y in ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)


def faint(color: QColor, alpha: int) -> QColor:
    """The colour as seen through; `alpha` of 255 is left of it."""
    made = QColor(color)
    made.setAlpha(alpha)
    return made


def stylesheet_of(colors: Colors) -> str:
    """The few rules on top of Fusion: flat docks and toolbars, quiet headers, thin scroll bars."""
    hover = blend(colors.window, colors.text, 0.08)
    pressed = blend(colors.window, colors.text, 0.14)
    handle = blend(colors.window, colors.text, 0.22)
    return f"""
    QToolTip {{ color: {colors.text}; background: {colors.panel}; border: 1px solid {colors.line}; padding: 4px; }}
    QMainWindow::separator {{ background: {colors.line}; width: 1px; height: 1px; }}
    QDockWidget {{ color: {colors.dim_text}; }}
    QDockWidget::title {{ background: {colors.window}; padding: 5px 8px; text-align: left; }}
    QToolBar {{ background: {colors.window}; border: 0; border-bottom: 1px solid {colors.line}; spacing: 2px;
        padding: 2px 4px; }}
    QToolBar::separator {{ background: {colors.line}; width: 1px; margin: 4px 5px; }}
    QToolButton {{ background: transparent; border: 0; border-radius: 4px; padding: 4px 6px; }}
    QToolButton:hover {{ background: {hover}; }}
    QToolButton:pressed, QToolButton:checked {{ background: {pressed}; }}
    QToolButton:focus {{ border: 1px solid {colors.accent}; padding: 3px 5px; }}
    QToolButton::menu-indicator {{ image: none; }}
    QToolButton#more_tabs {{ background: {colors.window}; border-radius: 0; padding: 0; }}
    QToolButton#more_tabs:hover {{ background: {hover}; }}
    QStatusBar {{ background: {colors.window}; border-top: 1px solid {colors.line}; }}
    QStatusBar::item {{ border: 0; }}
    QHeaderView::section {{ background: {colors.window}; color: {colors.dim_text}; border: 0;
        border-bottom: 1px solid {colors.line}; padding: 4px 6px; }}
    QTabBar::tab {{ background: transparent; color: {colors.dim_text}; padding: 5px 10px; border: 0;
        border-bottom: 2px solid transparent; }}
    #timing_pages QTabBar::tab {{ padding: 5px 6px; }}
    QTabBar::tab:selected {{ color: {colors.text}; border-bottom-color: {colors.accent}; }}
    QTabBar::tab:hover {{ color: {colors.text}; }}
    QLineEdit {{ background: {colors.panel}; border: 1px solid {colors.line}; border-radius: 4px; padding: 3px 6px;
        selection-background-color: {colors.accent}; }}
    QLineEdit:focus {{ border-color: {colors.accent}; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {handle}; border-radius: 4px; margin: 1px; min-height: 28px; min-width: 28px; }}
    QScrollBar::handle:hover {{ background: {colors.dim_text}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """
