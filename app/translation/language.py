"""The language of the window, at first that of the desktop, chosen in the View menu and used from the next start on."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator
from PySide6.QtGui import QFontDatabase, QGuiApplication

from compiler.installation import RESOURCES

_KEY = "language"
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "zh_CN": "中文"}


def chosen_language() -> str:
    """A key of LANGUAGES; where nothing was chosen, what the desktop speaks, else English."""
    saved = QSettings().value(_KEY)
    return str(saved) if saved in LANGUAGES else system_language()


def system_language() -> str:
    """The first of the desktop's languages that is one of LANGUAGES and has letters here."""
    spoken = (name.replace("-", "_") for name in QLocale.system().uiLanguages())
    return next((name for name in spoken if name in LANGUAGES and has_letters(name)), ENGLISH)


def has_letters(code: str) -> bool:
    """Whether a font of this machine has the language's letters; not known before there is a window to be."""
    if code == ENGLISH or not isinstance(QCoreApplication.instance(), QGuiApplication):
        return True
    return bool(QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese))


def choose_language(code: str) -> None:
    """Remember a key of LANGUAGES for the next start."""
    QSettings().setValue(_KEY, code)


def install_language(app: QCoreApplication) -> None:
    """Translate what is made from now on."""
    code = chosen_language()
    if code == ENGLISH:
        return
    translator, of_qt = QTranslator(app), QTranslator(app)
    if of_qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(of_qt)  # OK, Cancel, and what menus of text fields say
    if translator.load(f"loupe_{code}", str(RESOURCES / "translations")):
        app.installTranslator(translator)
        app.setProperty(_KEY, code)


def shown_language() -> str:
    """A key of LANGUAGES: that of the window that is open, which a choice changes from the next start on."""
    app = QCoreApplication.instance()
    shown = app.property(_KEY) if app is not None else None
    return shown if isinstance(shown, str) and shown in LANGUAGES else ENGLISH
