"""The language that tours are shown in."""

from PySide6.QtCore import QSettings

from app.translation.language import shown_language
from compiler.analysis.tours.tour import FIRST_LANGUAGE, LANGUAGES

_KEY = "tours/language"


def chosen_language() -> str:
    """As chosen by hand in a tour, else that of the window, else English."""
    wanted = (str(QSettings().value(_KEY, "")), shown_language().partition("_")[0])
    return next((code for code in wanted if code in LANGUAGES), FIRST_LANGUAGE)


def remember_language(code: str) -> None:
    """Choose one."""
    QSettings().setValue(_KEY, code)
