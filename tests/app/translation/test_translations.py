"""The translation is up to date, has the fields of its sources, and is what menus, panes and the start page show."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Xml
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMenu, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.translation import compiler_words
from app.translation.language import LANGUAGES, choose_language, install_language
from app.translation.texts import tr
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ROOT / "resources" / "translations" / "loupe_zh_CN.ts"
NAMES = {*LANGUAGES.values(), "Torch Loupe"}
"""Names stay as they are."""


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


@pytest.mark.skipif(shutil.which("sh") is None, reason="the script is one of sh")
def test_the_texts_are_those_of_the_sources(tmp_path: Path) -> None:
    shutil.copy(TEXTS, tmp_path)
    script = [str(ROOT / ".make" / "translations.sh"), str(tmp_path), sys.executable]
    subprocess.run(script, cwd=ROOT, check=True, env=os.environ, capture_output=True)
    for name in (TEXTS.name, TEXTS.with_suffix(".qm").name):
        made = (tmp_path / name).read_bytes()
        assert made == TEXTS.with_name(name).read_bytes(), "run `make translations`"


def test_a_translation_has_the_fields_of_its_source() -> None:
    messages = [
        (message.findtext("source", ""), message.findtext("translation", ""))
        for message in Xml.parse(TEXTS).iter("message")
    ]
    translated = [pair for pair in messages if pair[1]]
    assert len(translated) > 100
    for source, text in translated:
        assert sorted(re.findall(r"\{[^}]*\}", source)) == sorted(re.findall(r"\{[^}]*\}", text)), source
        assert ("&" in source) == ("&" in text), source


def test_menus_panes_and_workspaces_go_through_the_translator(
    session: Session, qapp: QApplication, bracketed: None, qtbot: QtBot
) -> None:
    window = MainWindow(session, ThemeChoice(qapp))
    window.show()
    qtbot.waitUntil(lambda: window.dock_area is not None)
    area = window.show_panes()
    shown = {action.text() for action in window.findChildren(QAction) if _is_ours(action)}
    shown |= {menu.title() for menu in window.menuBar().findChildren(QMenu)}
    shown |= {dock.windowTitle() for dock in area.docks.values() if isinstance(dock, QDockWidget)}
    shown |= {
        b.text()
        for b in window.findChildren(QToolButton)
        if b.objectName().startswith(("workspace_", "page_"))
    }
    shown |= {window.welcome.more.text()}
    shown |= {label.text() for label in window.welcome.findChildren(QLabel) if label.text()}
    shown |= {
        b.text() for b in window.welcome.findChildren(QPushButton) if b.objectName() in ("all_tours", "labs")
    }
    plain = {text for text in shown if text.strip() and "⟦" not in text and text not in NAMES}
    window.close()
    window.deleteLater()
    assert not plain


def _is_ours(action: QAction) -> bool:
    """Those of the compiler's transforms are shared with the command line; a workspace's is joined when the table is made."""
    name = action.objectName()
    return "." in name and not name.startswith(("transform.", "view.workspace_"))


def test_a_chosen_language_is_used_from_the_next_start_on(qapp: QApplication) -> None:
    before = qapp.findChildren(QTranslator)
    choose_language("zh_CN")
    try:
        assert tr("Undo") == "Undo"
        install_language(qapp)
        assert tr("Undo") == "撤销"
        assert tr("no such text") == "no such text"
    finally:
        for translator in set(qapp.findChildren(QTranslator)) - set(before):
            qapp.removeTranslator(translator)
        QSettings().remove("language")


_IMPORTS_ALL = """
import importlib, pkgutil
import app.translation.texts as texts
def early(*asked):
    raise SystemExit(f"{asked} is translated before the language is known")
texts.QCoreApplication = type("Early", (), {"translate": staticmethod(early)})
import app
for module in pkgutil.walk_packages(app.__path__, "app."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def test_nothing_is_translated_while_modules_are_imported() -> None:
    """The language is chosen later: what is made then would stay English."""
    run = subprocess.run([sys.executable, "-c", _IMPORTS_ALL], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)  # fmt: skip
    assert run.returncode == 0, run.stderr


def test_fixed_words_of_the_compiler_are_still_its_words() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "compiler").rglob("*.py"))
    joined = re.sub(r'"\s*\n\s*"', "", sources)
    assert not [word for word in compiler_words._WORDS if word not in joined]
