"""The list of all source files: the user's own first, then those of libraries, a menu for each package."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.translation.texts import tr
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.ir.programs import FileOwner, SourceFile

_OTHERS = "torch and Python"


class FileChoice(QToolButton):
    """A button with a menu; `chosen` is given the index of a file. Hidden while tabs are enough."""

    def __init__(self, chosen: Callable[[int], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = chosen
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolTip(tr("All files, those of libraries by package"))
        self.files = QMenu(self)
        self.setMenu(self.files)
        self.packages: dict[str, QMenu] = {}
        """The menu of each package."""

    def fill(self, files: Sequence[SourceFile]) -> None:
        """Offer these files."""
        self.files.clear()
        self.setText(tr("%n file(s)", None, len(files)))
        self.setVisible(len(files) > 1)
        self.packages.clear()
        for index, file in enumerate(files):
            owner = "" if file.standing is FileOwner.MINE else file.package or _OTHERS
            if owner and owner not in self.packages:
                self.packages[owner] = QMenu(_label(owner), self.files)
                self.files.addMenu(self.packages[owner])
            menu = self.packages.get(owner, self.files)
            action = menu.addAction(_label(_shown(file, owner)))
            action.setToolTip(file.path)
            action.triggered.connect(lambda _=False, index=index: self._chosen(index))


def _label(name: str) -> str:
    """A name as a menu takes it."""
    return visible_line(name).replace("&", "&&")


def _shown(file: SourceFile, owner: str) -> str:
    """A library's file from its package on, since many are called alike; the user's own by name."""
    inside = file.path.rpartition(f"/{owner}/")[2] if owner else ""
    return inside if inside and inside != file.path else file.path.rpartition("/")[2]
