"""Texts that compiler/ composes and the window shows: labels of edits, and tables of fixed words."""

import ast
import importlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.translation import compiler_texts
from app.translation.edit_texts import _patterns as patterns
from app.translation.edit_texts import edit_title, translate_by, translate_label
from app.translation.remedy_texts import _patterns as remedy_patterns
from app.translation.remedy_texts import translate_remedy
from compiler.model.edits.edits import EditGroup, ReplaceTarget
from tests.app.translation.literals import modules, reads_as_words
from tests.helpers import sample_capture
from tests.helpers.shown_language import in_chinese

ROOT = Path(__file__).resolve().parents[3]
_MAKERS = {"EditGroup", "group", "edits_between", "_choices"}
"""What is given the label of an edit."""

JOINED = {"Replace 7 7 by 7", "7 7 tensors"}
"""Joined of words whose every form stands in TEMPLATES."""

LEFT = {
    *("LESSONS", "COMPARED", "FRONT_ENDS", "KEYS", "LEVELS", "BY_NAME", "BREAKS", "PROOFS", "FORM_TITLES"),
    *("HOW_DIVIDED", "GATHERED", "STATE", "LOWERED", "RUNNING", "PRINT_LOST", "CPP_WRAPPER", "LANGUAGES"),
}
"""Tables whose words are still shown in English, or that are names; a new one is a decision."""


def labels() -> Iterator[tuple[str, str]]:
    """(module, a label as it could be written) of every edit."""
    for path in sorted((ROOT / "compiler" / "model" / "edits").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.lstrip("_").startswith("describe"):
                yield from ((path.name, text) for row in ast.walk(node) if isinstance(row, ast.Return) and row.value is not None for text in _written(row.value))  # fmt: skip
    for name, source in modules(ROOT):
        if "edit" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(func=ast.Name(id=made) | ast.Attribute(attr=made)) if made in _MAKERS:
                    given = [*node.args, *(word.value for word in node.keywords if word.arg == "label")]
                case ast.Assign(targets=[ast.Name(id="label")], value=value):
                    given = [value]
                case ast.keyword(arg="label", value=value):
                    given = [value]
                case _:
                    continue
            yield from ((name, text) for value in given if isinstance(value, ast.JoinedStr) for text in _written(value))  # fmt: skip


def _written(node: ast.expr) -> list[str]:
    """What a constant, a choice or an f-string may come to; fields are numbers, which names may be too."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return [*_written(one), *_written(other)]
        case ast.JoinedStr(values=values):
            return ["".join(parts) for parts in product(*map(_written, values))]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [a + b for a, b in product(_written(left), _written(right))]
        case ast.FormattedValue(value=ast.IfExp() as value):
            return _written(value)
    return ["7"]


def test_every_label_of_an_edit_has_a_sentence_in_the_persons_language() -> None:
    found = {(name, text) for name, text in labels() if reads_as_words(text)}
    assert len(found) > 20
    unknown = {row for row in found if not any(pattern.fullmatch(row[1]) for _, pattern in patterns())}
    assert {text for _, text in unknown} == JOINED, "write them in app/translation/edit_texts.py"


def test_labels_are_said_in_chinese_with_their_fields(qapp: QApplication) -> None:
    edit = ReplaceTarget(sample_capture.DYNAMO, "z", "call_function", "torch.tanh", sample_capture.args("y"))
    with in_chinese(qapp):
        assert edit_title(EditGroup("Edit 2 nodes as text", ())) == "以文本编辑 2 个节点"
        assert "torch.tanh" in edit_title(edit)
        assert "call" not in edit_title(edit)
        assert translate_label("a plugin's own") == "a plugin's own"
    assert edit_title(edit) == "z: call torch.tanh"


_REMEDIES = (
    *("compiler/analysis/remedies/for_breaks.py", "compiler/analysis/remedies/newer_torch.py"),
    *("app/panes/source_pane/source_editing.py", "app/panes/guards_pane/dynamic_page.py"),
)


def remedy_texts() -> Iterator[tuple[str, str]]:
    """(module, a text as it could be written) of every remedy; in the window's modules, of what is given to one or its title."""
    for name in _REMEDIES:
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        whole = list(ast.walk(tree))
        if name.startswith("app/"):
            calls = [node for node in whole if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Remedy"]  # fmt: skip
            titles = [node.value for node in whole if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "title"]  # fmt: skip
            whole = [*(given for call in calls for given in call.args), *titles]
        docs = {id(node.value) for node in whole if isinstance(node, ast.Expr)}
        parts = {id(part) for node in whole if isinstance(node, ast.JoinedStr) for part in ast.walk(node) if part is not node}  # fmt: skip
        for node in whole:
            if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in docs | parts:
                yield from ((name, text) for text in _written(node) if reads_as_words(text))


def test_every_text_of_a_remedy_has_a_sentence_in_the_persons_language() -> None:
    found = set(remedy_texts())
    assert len(found) > 50
    unknown = {row for row in found if not translate_by(row[1], remedy_patterns())}
    assert {text for _, text in unknown} == {"the call"}, "write them in app/translation/remedy_texts.py"
    assert translate_by("Move the call to the end of f", remedy_patterns())


def test_remedies_are_said_in_chinese_with_their_fields(qapp: QApplication) -> None:
    titles = "Remove print; Move log to the end of Net.forward"
    with in_chinese(qapp):
        assert translate_remedy("Let print run after the graph") == "让 print 在图之后运行"
        assert translate_remedy(titles) == "删除 print; 把 log 移到 Net.forward 的末尾"
        assert translate_remedy("a plugin's own") == "a plugin's own"
        assert translate_remedy("") == ""
    assert translate_remedy(titles) == titles


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in _texts(part))
    elif isinstance(value, tuple | list | frozenset | set):
        yield from (text for part in value for text in _texts(part))
    elif isinstance(value, msgspec.Struct):
        yield from (text for name in value.__struct_fields__ for text in _texts(getattr(value, name)))


def test_tables_of_words_that_the_window_takes_from_the_compiler_are_translated() -> None:
    found = {}
    for _, source in modules(ROOT):
        for node in ast.walk(ast.parse(source)) if "from compiler." in source else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("compiler."):
                module = importlib.import_module(node.module or "")
                for name in (alias.name for alias in node.names):
                    texts = {text for text in _texts(getattr(module, name, None)) if reads_as_words(text)}
                    if left := texts - compiler_texts._WORDS:
                        found[name] = left
    assert set(found) == LEFT, (
        "put them into app/translation/compiler_texts.py and through translate_fixed_text()"
    )


@pytest.mark.parametrize("label", ["Edit 1 node as text", "Remove mul, z takes its place", "Save 3 tensors"])
def test_a_label_is_the_same_in_english(label: str) -> None:
    assert translate_label(label) == label
