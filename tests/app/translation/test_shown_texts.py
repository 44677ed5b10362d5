"""What the window shows goes through the translator: menus, panes, dialogs, tips, heads of tables, names for screen readers."""

import tomllib
import xml.etree.ElementTree as Xml
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QTabWidget,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.translation.language import LANGUAGES
from app.window.command_palette import ShortcutsDialog
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from tests.app.translation.literals import reads_as_words

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ROOT / "resources" / "translations" / "loupe_zh_CN.ts"
NAMES = {*LANGUAGES.values(), "Torch Loupe", "Eager"}
"""Names stay as they are."""
OF_THE_SAMPLE = ("› Fused loop IR", "› Post-grad graph", "model.py:model[*] – Torch Loupe")
"""Titles that no capture of torch has, and its name before that of the window."""
_OF_OTHERS = ("tour_", "start_", "config_task", "front_end_choice")
"""Words of tours, which are in a language of their own; transformers' and torch's names to choose from."""
_LISTED = tomllib.loads((Path(__file__).parent / "exempt.toml").read_text(encoding="utf-8"))
EXEMPT = {text for entry in _LISTED.values() for text in entry["texts"]}


class Brackets(QTranslator):
    """Shows what went through the translator and was found by lupdate."""

    sources = frozenset(source.text for source in Xml.parse(TEXTS).iter("source"))

    def translate(self, context: str, text: str, comment: str | None = None, n: int = -1) -> str:
        return f"⟦{text}⟧" if not context and text in self.sources else ""

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def bracketed(qapp: QApplication) -> Iterator[None]:
    translator = Brackets(qapp)
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def window(bracketed: None, session: Session, qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    """With every pane made."""
    made = MainWindow(session, ThemeChoice(qapp))
    made.show()
    qtbot.waitUntil(lambda: made.dock_area is not None)
    area = made.show_panes()
    for name in area.panes:
        area.show_pane(name)
        qapp.processEvents()
    yield made
    made.close()
    made.deleteLater()


def test_menus_panes_tips_and_heads(window: MainWindow) -> None:
    _assert_translated(_shown(window))


def test_with_a_capture_open(window: MainWindow, open_session: Session, qapp: QApplication) -> None:
    for stage in open_session.capture.stages:
        open_session.show_stage(stage.id)
        qapp.processEvents()
    _assert_translated(_shown(window))


@pytest.mark.parametrize(
    "ask",
    ["open_model", "choose_machine", "choose_own_files", "choose_editor", "choose_tour", "show_palette"],
)
def test_dialogs(window: MainWindow, open_session: Session, qapp: QApplication, ask: str) -> None:
    getattr(window, ask)()
    qapp.processEvents()
    dialogs = [found for found in window.findChildren(QDialog) if found.isVisible()]
    assert dialogs
    shown = [row for dialog in dialogs for row in _shown(dialog)]
    for dialog in dialogs:
        dialog.close()
    _assert_translated(shown)


def test_shortcuts(window: MainWindow) -> None:
    dialog = ShortcutsDialog(window)
    shown = list(_shown(dialog))
    dialog.deleteLater()
    _assert_translated(shown)


def _assert_translated(shown: Iterable[tuple[str, str]]) -> None:
    plain = {
        f"{where}: {text!r}"
        for where, text in shown
        if "⟦" not in text
        and reads_as_words(text)
        and text not in NAMES | EXEMPT
        and not where.startswith(_OF_OTHERS)
        and not text.endswith(OF_THE_SAMPLE)
    }
    assert not plain, "\n".join(sorted(plain))


def _shown(top: QWidget) -> Iterator[tuple[str, str]]:
    """(where, text) of all that a person sees, or hears from a screen reader."""
    for action in top.findChildren(QAction):
        yield action.objectName(), action.text()
    for widget in (top, *top.findChildren(QWidget)):
        where = widget.objectName() or type(widget).__name__
        for text in (widget.toolTip(), widget.windowTitle(), widget.accessibleName(), *_own(widget)):
            yield where, text


def _own(widget: QWidget) -> Iterator[str]:
    match widget:
        case QAbstractButton() | QLabel():
            yield widget.text()
        case QGroupBox():
            yield widget.title()
        case QLineEdit() | QPlainTextEdit():
            yield widget.placeholderText()
        case QComboBox():
            yield from (widget.itemText(index) for index in range(widget.count()))
        case QSpinBox():
            yield widget.specialValueText()
        case QTabWidget():
            yield from (widget.tabText(index) for index in range(widget.count()))
            yield from (widget.tabToolTip(index) for index in range(widget.count()))
        case QTreeView() | QTableView() if widget.model() is not None:
            for column in range(widget.model().columnCount()):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    yield str(widget.model().headerData(column, Qt.Orientation.Horizontal, role) or "")
