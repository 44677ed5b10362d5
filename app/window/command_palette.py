"""Every action, to be found by typing (Ctrl+Shift+P), and the list of shortcuts (?)."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.actions.action_set import ALL_ROWS, ActionSet, menu_title
from app.panes.graph.key_rows import KEY_ROWS
from app.theme import fonts
from app.translation.texts import tr, tr_noop
from app.window.filter_list import FilterList, FilterRow

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
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(tr("Find a key or what it does"))
        self.search.setAccessibleName(tr("Find a key or what it does"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._find)
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName(tr("Keys"))
        self.tree.setHeaderLabels([tr("Action"), tr("Key"), tr("What it does")])
        self.tree.setRootIsDecorated(False)
        self.groups: list[tuple[QTreeWidgetItem, list[QTreeWidgetItem]]] = []
        for title, rows in _keys_by_menu().items():
            group = QTreeWidgetItem(self.tree, [title])
            group.setFirstColumnSpanned(True)
            group.setFont(0, fonts.interface(bold=True))
            items = [QTreeWidgetItem(list(row)) for row in rows]
            for item, (_, _, tip) in zip(items, rows, strict=True):
                item.setToolTip(2, tip)
            group.addChildren(items)
            self.groups.append((group, items))
        self.tree.expandAll()
        for column in range(2):
            self.tree.resizeColumnToContents(column)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addWidget(self.tree)
        layout.addWidget(buttons)
        self.resize(820, 600)
        self.search.setFocus()

    def _find(self, text: str) -> None:
        words = text.lower().split()
        for group, rows in self.groups:
            for row in rows:
                reported = " ".join((group.text(0), *(row.text(column) for column in range(3)))).lower()
                row.setHidden(not all(word in reported for word in words))
            group.setHidden(all(row.isHidden() for row in rows))


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
