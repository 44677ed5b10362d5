"""The translations are up to date with the sources and have their fields; plurals; the language is known in time."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Xml
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from app.translation import compiler_texts
from app.translation.texts import tr
from tests.helpers.finished_process import ran
from tests.helpers.shown_language import in_chinese

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ROOT / "resources" / "translations" / "loupe_zh_CN.ts"
ENGLISH = TEXTS.with_name("loupe_en.ts")


@pytest.mark.skipif(shutil.which("sh") is None, reason="the script is one of sh")
def test_the_texts_are_those_of_the_sources(tmp_path: Path) -> None:
    shutil.copy(TEXTS, tmp_path)
    shutil.copy(ENGLISH, tmp_path)
    script = [str(ROOT / ".make" / "translations.sh"), str(tmp_path), sys.executable]
    subprocess.run(script, cwd=ROOT, check=True, env=os.environ, capture_output=True)
    for name in (TEXTS.name, TEXTS.with_suffix(".qm").name, ENGLISH.name, ENGLISH.with_suffix(".qm").name):
        made = (tmp_path / name).read_bytes()
        assert made == TEXTS.with_name(name).read_bytes(), "run `make translations`"


@pytest.mark.parametrize("texts", [TEXTS, ENGLISH], ids=["zh_CN", "en"])
def test_a_translation_has_the_fields_of_its_source(texts: Path) -> None:
    messages = [
        (message.findtext("source", ""), text)
        for message in Xml.parse(texts).iter("message")
        for text in _reported(message)
    ]
    translated = [(source, text) for source, text in messages if text.strip()]
    assert len(translated) > 50
    for source, text in translated:
        assert _fields(source) == _fields(text), source
        assert ("&" in source) == ("&" in text), source
        assert "%n" not in text or "%n" in source, source


def test_every_text_is_said_in_chinese() -> None:
    missing = [
        message.findtext("source", "")
        for message in Xml.parse(TEXTS).iter("message")
        if message.find("translation[@type]") is not None
        or not all(text.strip() for text in _reported(message))
    ]
    assert not missing, "translate these in resources/translations/loupe_zh_CN.ts, then `make translations`"


def test_chinese_counts_with_a_number_where_english_does() -> None:
    for message in Xml.parse(TEXTS).iter("message"):
        source, forms = message.findtext("source", ""), message.findall("translation/numerusform")
        assert all(("%n" in (form.text or "")) == ("%n" in source) for form in forms if form.text), source


def _reported(message: Xml.Element) -> list[str]:
    forms = message.findall("translation/numerusform") or message.findall("translation")
    return [form.text or "" for form in forms]


def _fields(text: str) -> list[str]:
    return sorted(re.findall(r"\{[^}]*\}", text))


def test_a_chosen_language_is_used_from_the_next_start_on(qapp: QApplication) -> None:
    assert tr("Undo") == "Undo"
    with in_chinese(qapp):
        assert tr("Undo") == "撤销"
        assert tr("no such text") == "no such text"
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "取消"
    assert tr("Undo") == "Undo"


_FIRST_START = """
from PySide6.QtCore import QSettings
QSettings.setDefaultFormat(QSettings.Format.IniFormat)
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, {folder!r})
from app.translation.language import choose_language, chosen_language
first = chosen_language()
choose_language("en")
print(first, chosen_language())
"""


@pytest.mark.parametrize(
    ("desktop", "shown"),
    [("zh_CN.UTF-8", "zh_CN"), ("de_DE.UTF-8", "en"), ("zh_TW.UTF-8", "en"), ("C", "en")],
)
def test_the_first_start_speaks_as_the_desktop_does(tmp_path: Path, desktop: str, shown: str) -> None:
    program = _FIRST_START.format(folder=str(tmp_path))
    environment = {**os.environ, "LC_ALL": desktop, "LANGUAGE": ""}
    started = ran([sys.executable, "-c", program], env=environment, check=True)
    assert started.stdout.split() == [shown, "en"]


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
    run = ran([sys.executable, "-c", _IMPORTS_ALL], ROOT, os.environ | {"PYTHONPATH": str(ROOT)})
    assert run.returncode == 0, run.stderr


def test_fixed_words_of_the_compiler_are_still_its_words() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "compiler").rglob("*.py"))
    joined = re.sub(r'"\s*\n\s*"', "", sources)
    gone = [word for word in compiler_texts._WORDS if not _has(joined, word)]
    assert not gone


def _has(sources: str, word: str) -> bool:
    """Or what follows the part in ``Forward graph``, which compiler/ joins; a short title leaves the part out."""
    part, _, rest = word.partition(" ")
    what = rest if part in ("Forward", "Backward", "Inference") else word
    small = word[:1].lower() + word[1:]
    return (
        any(text in sources for text in (word, small))
        or f" {what.partition(',')[0]}".lower() in sources.lower()
    )


def test_a_count_chooses_its_form() -> None:
    assert [tr("%n problem(s)", None, count) for count in (0, 1, 2)] == [
        "0 problems",
        "1 problem",
        "2 problems",
    ]
    assert tr("Only the %n selected node(s)", None, 1) == "Only the selected node"


def test_every_count_has_both_forms_in_english() -> None:
    for message in Xml.parse(ENGLISH).iter("message"):
        forms = [form.text or "" for form in message.findall("translation/numerusform")]
        assert len(forms) == 2, message.findtext("source")
        assert all(forms), message.findtext("source")
        assert forms[0] != forms[1], message.findtext("source")
