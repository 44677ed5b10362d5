"""Light, dark, or as the system: applied and identity_cached."""

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication

from app.theme import palette, text_size
from app.theme.colors import DARK, LIGHT
from app.theme.current import colors

_KEY = "look"
LOOKS = ("system", "light", "dark")


class ThemeChoice(QObject):
    """The look a person chose."""

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        saved = QSettings().value(_KEY, "system")
        self.chosen = saved if isinstance(saved, str) and saved in LOOKS else "system"
        self._for_a_room = False
        app.styleHints().colorSchemeChanged.connect(self._on_system_change)

    def choose(self, name: str) -> None:
        """Apply a look and remember it."""
        self.chosen = name
        QSettings().setValue(_KEY, name)
        self.apply()

    def apply(self) -> None:
        """Dress the application."""
        if self.chosen == "system":
            self._app.styleHints().unsetColorScheme()
            look = palette.system_colors(self._app)
        else:
            look = DARK if self.chosen == "dark" else LIGHT
        palette.apply(self._app, palette.for_a_room(look) if self._for_a_room else look)
        text_size.keep_scale(self._app)

    def present(self, on: bool) -> None:
        """With more contrast and thicker lines, or as usual."""
        if on != self._for_a_room:
            self._for_a_room = on
            self.apply()

    def _on_system_change(self) -> None:
        dark = palette.system_colors(self._app).dark
        if self.chosen == "system" and dark != colors().dark:
            self.apply()
