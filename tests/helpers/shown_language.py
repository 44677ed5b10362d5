"""The window in another language for as long as a test wants it."""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import QSettings, QTranslator
from PySide6.QtWidgets import QApplication

from app.translation.language import choose_language, install_language


@contextlib.contextmanager
def in_chinese(app: QApplication) -> Iterator[None]:
    """As after a choice in the menu and a new start."""
    before = set(app.findChildren(QTranslator))
    choose_language("zh_CN")
    install_language(app)
    try:
        yield
    finally:
        for translator in set(app.findChildren(QTranslator)) - before:
            app.removeTranslator(translator)
            translator.deleteLater()
        app.setProperty("language", None)
        QSettings().remove("language")
