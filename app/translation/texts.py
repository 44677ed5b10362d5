"""What texts of the window go through. lupdate finds `tr` and `tr_noop` (`make translations`)."""

from collections.abc import Iterable
from functools import cache

from PySide6.QtCore import QCoreApplication, QTranslator

from compiler.installation import RESOURCES


def tr(text: str, disambiguation: None = None, n: int = -1) -> str:
    """The text in the person's language; as it stands where there is no translation.

    With a number, ``%n`` becomes it and its language chooses the form: ``tr("%n file(s)", None, 1)`` is ``1 file``. It is Qt's own
    signature, which lupdate knows plurals by.
    """
    if not text:
        return text
    if n < 0:
        return QCoreApplication.translate("", text)
    reported = QCoreApplication.translate("", text, disambiguation, n)
    return reported if reported != text.replace("%n", str(n)) else _in_english(text, n)


def and_more(number: int) -> str:
    """What ends a list in a line that is cut short; empty where nothing is left out."""
    return tr(" and {value} more").format(value=number) if number > 0 else ""


def lines_more(number: int) -> tuple[str, ...]:
    """The last line of a list that is cut short; none where nothing is left out."""
    return (tr("… and %n more", None, number),) if number > 0 else ()


def tr_all(texts: Iterable[str]) -> list[str]:
    """Those of a table, such as its heads."""
    return [tr(text) for text in texts]


def tr_noop(text: str, _disambiguation: None = None, _n: int = -1) -> str:
    """Marks a text of a table, which goes through `tr` where it is shown; any number where it is shown with one."""
    return text


def _in_english(text: str, n: int) -> str:
    forms = _english_forms().translate("", text, "", n)
    return (forms or text).replace("%n", str(n))


@cache
def _english_forms() -> QTranslator:
    """Singular and plural of what is counted; used in any language that has no text of its own."""
    translator = QTranslator()
    translator.load("loupe_en", str(RESOURCES / "translations"))
    return translator
