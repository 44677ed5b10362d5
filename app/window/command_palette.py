"""Every action, to be found by typing (Ctrl+Shift+P), and the list of shortcuts (?)."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.actions.action_set import ALL_ROWS, ActionSet, menu_title
from app.panes.graph.key_rows import KEY_ROWS
from app.translation.texts import tr, tr_noop
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from app.window.filter_list import FilterList, FilterRow

_COLUMNS = (
    Column(tr_noop("Action")),
    Column(tr_noop("Key")),
    Column(tr_noop("What it does"), width=Width.STRETCH, wraps=True),
)
_CANVAS = tr_noop("While the graph has the focus")


class CommandPalette(QDialog):
    """Lists the actions; those that cannot be done now are grey and last."""

    def __init__(
        self, actions: ActionSet, panes: Mapping[str, str], show_pane: Callable[[str], None], parent: QWidget
    ) -> None:
        """`panes` are titles by id."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("command_palette")
        self._actions = actions
        actions.update()
        rows = [row for row in ALL_ROWS if row.id != "help.palette"]
        self._rows = sorted(rows, key=lambda row: not actions.actions[row.id].isEnabled())
        self._panes = tuple(panes)
        self._show_pane = show_pane
        self.list = FilterList(tr("Type to find an action or a pane"), self)
        self.list.set_rows(
            [
                FilterRow(
                    f"{menu_title(row.menu)}: {row.shown_title.removesuffix('…')}",
                    row.shortcut,
                    actions.actions[row.id].isEnabled(),
                )
                for row in self._rows
            ]
            + [FilterRow(tr("Pane: {title}").format(title=title), "", True) for title in panes.values()]
        )
        self.list.chosen.connect(self._run)
        column = QVBoxLayout(self)
        column.addWidget(self.list)
        self.resize(520, 380)
        self.list.setFocus()

    def _run(self, index: int) -> None:
        self.close()
        if index < len(self._rows):
            self._actions.run(self._rows[index].id)
        else:
            self._show_pane(self._panes[index - len(self._rows)])


class ShortcutsDialog(QDialog):
    """Every key, grouped as the menus are, and found by typing a key or words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcuts")
        self.setWindowTitle(tr("Shortcuts"))
        self.table = RowTable(_COLUMNS, tr("Find a key or what it does"), self)
        self.table.field.setAccessibleName(tr("Find a key or what it does"))
        self.table.tree.setAccessibleName(tr("Keys"))
        self.table.tree.setRootIsDecorated(False)
        self.table.set_rows([_group(title, rows) for title, rows in _keys_by_menu().items()])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        set_column(self, self.table, buttons)
        self.resize(820, 600)
        self.table.field.setFocus()


def _group(title: str, rows: list[tuple[str, str, str]]) -> Row:
    """Its keys are found by the menu's title too."""
    inside = tuple(
        Row(name, (Cell(name), Cell(keys), Cell(tip, tooltip=tip)), found_by=title)
        for name, keys, tip in rows
    )
    return Row(title, (Cell(title, bold=True),), inside, open=True, spanned=True)


def _keys_by_menu() -> dict[str, list[tuple[str, str, str]]]:
    """(action, keys, what it does) under the menu's title; letters that act on the canvas alone stand with its own keys."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for row in ALL_ROWS:
        if row.shortcut:
            keys = ", ".join((row.shortcut, *row.other_shortcuts))
            title = row.shown_title.removesuffix("…")
            group = tr(_CANVAS) if row.of_canvas else menu_title(row.menu)
            found.setdefault(group, []).append((title, keys, row.shown_tip))
    on_canvas = [(tr(title), tr(keys), tr(tip)) for keys, title, tip in KEY_ROWS]
    return {**found, tr(_CANVAS): [*found.get(tr(_CANVAS), []), *on_canvas]}
