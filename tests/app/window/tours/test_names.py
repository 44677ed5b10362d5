"""Tours name things of the window as the window shows them, in whichever language each of them is."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from app.translation.language import choose_language
from app.window.tours.language import chosen_language, remember_language
from app.window.tours.tour_texts import with_names_shown
from compiler.installation import RESOURCES
from tests.helpers.shown_language import in_chinese


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    with in_chinese(qapp):
        yield


def test_every_name_in_asterisks_is_one_of_the_window(chinese: None) -> None:
    """What the window does not have stays English, in a Chinese window too."""
    missing = [
        (path.name, name)
        for path in sorted((RESOURCES / "tours").rglob("*.toml"))
        for text in _texts(tomllib.loads(path.read_text(encoding="utf-8")))
        for name in re.findall(r"\*([^*]+)\*", text)
        if any(
            part == reported and part not in _SAME
            for part, reported in zip(name.split(" → "), _shown(name), strict=True)
        )
    ]
    assert not missing


_SAME = {"Guards"}
"""Called so in Chinese too."""


def _shown(name: str) -> list[str]:
    return with_names_shown(f"*{name}*").strip("*").split(" → ")


def _texts(values: object) -> Iterator[str]:
    if isinstance(values, str):
        yield values
    elif isinstance(values, dict):
        for value in values.values():
            yield from _texts(value)
    elif isinstance(values, list):
        for value in values:
            yield from _texts(value)


def test_names_are_reported_as_the_window_shows_them(qapp: QApplication, chinese: None) -> None:
    assert with_names_shown("请打开 *Panes → Guards*。") == "请打开 *面板 → Guards*。"
    assert with_names_shown("*File → Open model*") == "*文件 → 打开模型*"
    assert with_names_shown("Press *Nothing of ours*.") == "Press *Nothing of ours*."
    assert with_names_shown("Recompile") == "Recompile"


def test_in_an_english_window_they_stay(qapp: QApplication) -> None:
    assert with_names_shown("请按 *Recompile*。") == "请按 *Recompile*。"


def test_tours_are_in_the_language_of_the_window_unless_chosen_by_hand(chinese: None) -> None:
    assert chosen_language() == "zh"
    remember_language("en")
    assert chosen_language() == "en"


def test_a_choice_in_the_menu_counts_from_the_next_start_on_for_tours_too(qapp: QApplication) -> None:
    choose_language("zh_CN")
    assert chosen_language() == "en"
    QSettings().remove("language")
