"""Every action, to be found by typing (Ctrl+Shift+P), and the list of shortcuts (?)."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from app.actions.action_set import ALL_ROWS, ActionSet
from app.panes.graph.key_rows import KEY_ROWS
from app.window.filter_list import FilterList, FilterRow


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
        self.list = FilterList("Type to find an action or a pane", self)
        self.list.set_rows(
            [
                FilterRow(
                    f"{row.menu}: {row.title.removesuffix('…')}",
                    row.shortcut,
                    actions.actions[row.id].isEnabled(),
                )
                for row in self._rows
            ]
            + [FilterRow(f"Pane: {title}", "", True) for title in panes.values()]
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
    """A table of every shortcut."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcuts")
        self.setWindowTitle("Shortcuts")
        rows = [
            (", ".join((row.shortcut, *row.other_shortcuts)), row.title.removesuffix("…"), row.tip)
            for row in ALL_ROWS
            if row.shortcut
        ]
        rows += [(keys, f"Canvas: {title.lower()}", tip) for keys, title, tip in KEY_ROWS]
        self.table = QTableWidget(len(rows), 3, self)
        self.table.setHorizontalHeaderLabels(["Key", "Action", "What it does"])
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                self.table.setItem(number, column, QTableWidgetItem(text))
        self.table.resizeColumnsToContents()
        self.table.horizontalHeader().setStretchLastSection(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.table)
        layout.addWidget(buttons)
        self.resize(760, 560)
