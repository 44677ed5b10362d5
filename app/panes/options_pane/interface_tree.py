"""Everything torch.compile can be told as one tree to search: arguments, modes, backends, options, stances."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem, QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.filter_tree import FilterTree
from compiler.model.capture.program_changes import SetCompileArgument
from compiler.model.experiments.compile_choices import CompileChoice
from compiler.model.experiments.torch_compile_api import (
    Backend,
    BackendTried,
    CompileArgument,
    CompileInterface,
    CompileMode,
    CompileOption,
    Stance,
)

_NAME, _DEFAULT, _TEXT = range(3)
_ROW = int(Qt.ItemDataRole.UserRole)
Row = CompileArgument | CompileMode | Backend | CompileOption | Stance


class InterfaceTree(FilterTree):
    """The filter looks into the documentation too."""

    shown = Signal()
    """Another row is current."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            (tr("Name"), tr("Default"), tr("What it is")),
            tr("Search arguments, modes, backends and options"),
            parent,
        )
        header = self.tree.header()
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(_NAME, 210)
        header.setSectionResizeMode(_DEFAULT, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(_DEFAULT, 70)
        header.setSectionResizeMode(_TEXT, QHeaderView.ResizeMode.Stretch)
        self.tree.currentItemChanged.connect(lambda *_: self.shown.emit())
        self.field.textChanged.connect(self._open_matches)

    def show_interface(self, known: CompileInterface, tried: dict[str, BackendTried]) -> None:
        """Show all of it; backends that were tried say what came of it."""
        at = self.row()
        self.tree.blockSignals(True)
        self.tree.clear()
        self._group(
            tr("Arguments"),
            [(row, row.name, row.default, row.documentation) for row in known.arguments],
            is_open=True,
        )
        self._group(tr("Modes"), [(row, row.name, "", mode_text(row)) for row in known.modes], is_open=True)
        backends = self._group(
            tr("Backends"),
            [(row, row.name, "", backend_text(row, tried.get(row.name))) for row in known.backends],
        )
        self._color(backends, tried)
        self._group(tr("Options"), [(row, row.name, row.default, row.documentation) for row in known.options])
        self._group(tr("Stances"), [(row, row.name, "", row.documentation) for row in known.stances])
        for item in self.items():
            if at is not None and item.data(_NAME, _ROW) == at:
                self.tree.setCurrentItem(item)
        self.tree.blockSignals(False)
        self.apply_filter()
        self._open_matches(self.field.text())

    def row(self) -> Row | None:
        """What the current row stands for; None for a heading."""
        item = self.tree.currentItem()
        found = item.data(_NAME, _ROW) if item is not None else None
        return found if isinstance(found, Row) else None

    def show_row(self, name: str) -> bool:
        """Make the row of that name current; gives whether there is one."""
        for item in self.items():
            if item.text(_NAME) == name and item.data(_NAME, _ROW) is not None:
                self.tree.setCurrentItem(item)
                return True
        return False

    def _group(
        self, title: str, rows: list[tuple[Row, str, str, str]], is_open: bool = False
    ) -> QTreeWidgetItem:
        colors = current.colors()
        group = QTreeWidgetItem(self.tree, [f"{title} ({len(rows)})"])
        font = group.font(_NAME)
        font.setBold(True)
        group.setFont(_NAME, font)
        for row, name, default, text in rows:
            item = QTreeWidgetItem(group, [name, default, text])
            item.setData(_NAME, _ROW, row)
            item.setForeground(_DEFAULT, QBrush(QColor(colors.dim_text)))
            item.setForeground(_TEXT, QBrush(QColor(colors.dim_text)))
        group.setExpanded(is_open)
        return group

    def _color(self, group: QTreeWidgetItem, tried: dict[str, BackendTried]) -> None:
        colors = current.colors()
        for index in range(group.childCount()):
            item = group.child(index)
            result = tried.get(item.text(_NAME)) if item is not None else None
            if item is not None and result is not None:
                item.setForeground(_TEXT, QBrush(QColor(colors.good if result.works else colors.error)))
                group.setExpanded(True)

    def _open_matches(self, text: str) -> None:
        for index in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(index)
            if group is not None and text:
                group.setExpanded(True)


def mode_text(mode: CompileMode) -> str:
    """The options that a mode sets."""
    return ", ".join(f"{name}={value}" for name, value in mode.options) or tr("sets no option")


def backend_text(backend: Backend, tried: BackendTried | None) -> str:
    """What came of trying it, or what torch says of it."""
    if tried is not None:
        works = tr("works here (first step {seconds:.1f} s)").format(seconds=tried.seconds)
        return works if tried.works else tr("does not work here: {why}").format(why=tried.why)
    return " · ".join(filter(None, (", ".join(backend.tags), backend.documentation)))


def argument_choice(row: Row | None) -> CompileChoice | None:
    """The choice that a mode or a backend is; None for what takes a value."""
    match row:
        case CompileMode():
            return CompileChoice(f"mode={row.name!r}", (SetCompileArgument("mode", row.name),))
        case Backend():
            return CompileChoice(f"backend={row.name!r}", (SetCompileArgument("backend", row.name),))
        case _:
            return None
