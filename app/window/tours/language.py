"""The language that tours are shown in."""

from PySide6.QtCore import QLocale, QSettings

from compiler.analysis.tours.tour import FIRST_LANGUAGE, LANGUAGES

_KEY = "tours/language"


def chosen_language() -> str:
    """As chosen, else the system's, else English."""
    system = QLocale.system().name().partition("_")[0]
    wanted = (str(QSettings().value(_KEY, "")), system)
    return next((code for code in wanted if code in LANGUAGES), FIRST_LANGUAGE)


def remember_language(code: str) -> None:
    """Choose one."""
    QSettings().setValue(_KEY, code)
