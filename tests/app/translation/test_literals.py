"""Every text of the window goes through the translator; what does not is listed with its reason."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from tests.app.translation.literals import modules, untranslated

ROOT = Path(__file__).resolve().parents[3]
EXEMPT = tomllib.loads((Path(__file__).parent / "exempt.toml").read_text(encoding="utf-8"))


def test_every_text_goes_through_the_translator_or_is_exempt_for_a_reason() -> None:
    found = {name: texts for name, source in modules(ROOT) if (texts := _texts(source))}
    exempt = {name: set(entry["texts"]) for name, entry in EXEMPT.items()}
    new = {name: texts - exempt.get(name, set()) for name, texts in found.items()}
    assert not {name: texts for name, texts in new.items() if texts}, "put these through tr(), or say why not"
    gone = {name: texts - found.get(name, set()) for name, texts in exempt.items()}
    assert not {name: texts for name, texts in gone.items() if texts}, "these are not met any more"
    assert all(entry["why"] for entry in EXEMPT.values())


def test_there_are_texts_to_be_translated() -> None:
    calls = sum(len(re.findall(r"\btr(?:_noop)?\(", source)) for _, source in modules(ROOT))
    assert calls > 1_900


@pytest.mark.parametrize(
    "source",
    [
        'def f(): label.setText("files")',
        'def f(): label.setToolTip("Nothing is measured yet.")',
        'def f(): anything(f"{count} nodes of {name}")',
        'WORDS = "Nothing is measured yet."',
        'WORDS = {True: tr_noop("right"), False: "wrong"}',
        'def f(): text = tr("yes") if sure else "no"',
        'def f(): box = QLabel("stage" if one else "stages")',
        'def f(): tree.setHeaderLabels(["Name", "Kind"])',
        'def f(): table = RowTable((Column("Name"),), "filter")',
        'def f(): session.report(Problem("Cancelled."))',
        'def f(): text = " or ".join(names)',
        'def f(): menu.addAction("copy", self.copy)',
        'def f(): label.setText({1: "one", 2: "two"}[number])',
        'def f(): return titles.get(kind, "No such stage")',
        'def f(): table.add(Difference("x", "", "", tooltip="gone"))',
        'def f(): self._button("search", "Search (/)", None)',
    ],
)
def test_a_text_that_goes_past_the_translator_is_found(source: str) -> None:
    assert _texts(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""A module. It says what it is for."""',
        'def f(): label.setText(tr("Nothing is measured yet."))',
        'def f(): label.setText(tr("{name} is gone").format(name=name))',
        'WORDS = tr_noop("Nothing is measured yet.")',
        'def f(): label.setObjectName("work left")',
        'def f(): raise TypeError("this is a fault of ours")',
        'def f(): label.setText("{:.1f} ms".format(time))',
        'def f(): label.setText("×")',
        'def f(): label.setStyleSheet("color: red; border: none")',
        'def f(): return kind == "Read only"',
        'def f(): label.setText(words["Read only"])',
        'ROW = ActionRow("edit.cut", menu="Edit")',
        'def f(): self._say(tr("It works."), "good")',
        'def f(): self._button("search", tr("Search (/)"), None)',
    ],
)
def test_what_is_no_text_for_people_is_left_alone(source: str) -> None:
    assert not _texts(source)


def test_the_fields_of_a_text_are_those_it_is_given() -> None:
    wrong = [
        (name, node.lineno, sorted(fields ^ given))
        for name, source in modules(ROOT)
        if ".format(" in source
        for node, text, given in _formatted(ast.parse(source))
        if (fields := {field for _, field, _, _ in Formatter().parse(text) if field is not None}) != given
    ]
    assert not wrong


def _formatted(tree: ast.AST) -> Iterator[tuple[ast.Call, str, set[str | None]]]:
    """(call, text, names of what it is given) of every ``tr("…").format(…)``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Name(id="tr"), args=[ast.Constant(value=str(text)), *_]),
                    attr="format",
                ),
                keywords=keywords,
            ):
                yield node, text, {keyword.arg for keyword in keywords}


def _texts(source: str) -> set[str]:
    return {literal.shown for literal in untranslated(source)}


def _distinguished_by_words(source: str) -> set[str]:
    """Texts that go through the translator and are compared with, or looked up by, in the same module: in another language
    they are other words.
    """
    tree = ast.parse(source)
    texts = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("tr", "tr_noop")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    met: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            met += [node.left, *node.comparators]
        elif isinstance(node, ast.Dict):
            met += node.keys
    found = (inner for one in met if one is not None for inner in ast.walk(one))
    return {str(one.value) for one in found if isinstance(one, ast.Constant) and one.value in texts}


_KEYS_OF_DATA = {
    "app/panes/partition_pane/wording.py": "fates as the capture has them",
    "app/panes/timings_pane/memory_page.py": "kinds of memory as the plan has them",
}


def test_nothing_is_distinguished_by_words_that_are_translated() -> None:
    found = {
        name
        for name, source in modules(ROOT)
        if re.search(r"\btr(_noop)?\(", source) and _distinguished_by_words(source)
    }
    assert found == set(_KEYS_OF_DATA)


def test_a_comparison_with_a_translated_word_is_found() -> None:
    source = 'def f(row): return tr("same")\ndef g(text): return 1 if text == "same" else 2\n'
    assert _distinguished_by_words(source) == {"same"}
