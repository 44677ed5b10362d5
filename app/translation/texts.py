"""What texts of the window go through. lupdate finds `tr` and `tr_noop` (`make translations`)."""

from PySide6.QtCore import QCoreApplication


def tr(text: str) -> str:
    """The text in the person's language; as it stands where there is no translation."""
    return QCoreApplication.translate("", text) if text else text


def tr_noop(text: str) -> str:
    """Marks a text of a table, which goes through `tr` where it is shown."""
    return text
