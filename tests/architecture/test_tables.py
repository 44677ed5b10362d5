"""There is one way to show rows: `RowTable`. What fills a widget of Qt's item by item stands here with its reason."""

import ast
from collections.abc import Iterator

import pytest

from tests.helpers.our_sources import ROOT, trees

FILLED_BY_HAND = {
    "QListWidget",
    "QListWidgetItem",
    "QTableWidget",
    "QTableWidgetItem",
    "QTreeWidget",
    "QTreeWidgetItem",
}
WITH_A_REASON = {
    "app/panes/dispatcher_pane/lesson_page.py": "the steps of a lesson: a fixed list of sentences, one of them current",
    "app/panes/guards_pane/tester_page.py": "a form: every cell is an editor of its own",
    "app/window/edit_forms/rewire_dialog.py": "a list beside a field, made once for a dialog that asks one question",
    "app/window/edit_forms/transform_dialog.py": "a list of names, made once for a dialog that asks one question",
    "app/window/filter_list.py": "the palette orders what it finds by nearness to what is typed, which no table does",
    "app/window/kernel_forms/configuration_dialog.py": "a form: a row a configuration, whose numbers are typed",
    "app/window/open_form/inputs_form.py": "a form: every cell is an editor of its own",
}

_TABLES = ("RowTable", "DifferenceTree")


def filled_by_hand(tree: ast.Module) -> set[str]:
    """The classes of Qt's that a module imports or reaches through another module."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found & FILLED_BY_HAND


@pytest.mark.parametrize(
    "text",
    [
        "from PySide6.QtWidgets import QLabel, QTreeWidget",
        "from PySide6.QtWidgets import QTableWidget as Table",
        "from PySide6 import QtWidgets\nclass Mine(QtWidgets.QListWidget): ...",
        "def late():\n    from PySide6.QtWidgets import QTreeWidgetItem",
    ],
)
def test_each_way_to_use_one_is_seen(text: str) -> None:
    assert filled_by_hand(ast.parse(text))
    assert not filled_by_hand(ast.parse("from PySide6.QtWidgets import QTreeView  # not a QTreeWidget"))


def test_rows_are_shown_by_tables_of_rows() -> None:
    users = {
        str(path.relative_to(ROOT)) for path, tree in trees(("app",), *FILLED_BY_HAND) if filled_by_hand(tree)
    }
    new, gone = sorted(users - WITH_A_REASON.keys()), sorted(WITH_A_REASON.keys() - users)
    assert not new, f"show rows with app.widgets.tables.row_table, or say here why not: {new}"
    assert not gone, f"these fill no widget by hand any more, take them out: {gone}"


def test_no_table_uses_a_name_that_its_base_keeps_for_itself() -> None:
    """A pane's `_fill_menu` was once the table's own attribute of that name: no menu, and no tool saw it."""
    kept: set[str] = set()
    for name in ("row_table", "filtered_view"):
        for _, made in _classes(ast.parse((ROOT / "app/widgets/tables" / f"{name}.py").read_text("utf-8"))):
            kept |= made
    taken = {
        f"{path.relative_to(ROOT)} {cls.name}": sorted(made & kept)
        for path, tree in trees(("app",), *_TABLES)
        for cls, made in _classes(tree)
        if any(isinstance(base, ast.Name) and base.id in _TABLES for base in cls.bases) and made & kept
    }
    assert len(kept) > 20
    assert not taken


def _classes(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, set[str]]]:
    """Each class of a module with the private names that it defines or sets."""
    for cls in ast.walk(tree):
        if isinstance(cls, ast.ClassDef):
            names = {node.name for node in ast.walk(cls) if isinstance(node, ast.FunctionDef)}
            names |= {
                node.attr
                for node in ast.walk(cls)
                if isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and isinstance(node.value, ast.Name)
                and node.value.id == "self"
            }
            yield cls, {name for name in names if name.startswith("_") and not name.startswith("__")}
