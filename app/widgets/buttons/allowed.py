"""Buttons that can do nothing now are grey, and their tip says why."""

from PySide6.QtWidgets import QAbstractButton

_TIP = "what_it_does"


def allow(button: QAbstractButton, why_not: str, otherwise: bool = True) -> None:
    """Grey where there is a reason, with it in place of its own tip; else as `otherwise` says."""
    own = button.property(_TIP)
    if own is None:
        own = button.toolTip()
        button.setProperty(_TIP, own)
    button.setEnabled(otherwise and not why_not)
    button.setToolTip(why_not or own)
