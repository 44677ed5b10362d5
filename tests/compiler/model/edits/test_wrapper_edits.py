"""A wrapper's text as an edit: exact inverse, and refusals with the reason."""

import msgspec
import pytest

from compiler.model.edits.edits import BypassNode, EditError, ReplaceWrapper, apply_edit, keeps_graphs
from compiler.model.edits.wrapper_edits import fingerprint, syntax_error
from compiler.model.ir.loop_ir import WrapperCode

STAGE = "0/0:forward:wrapper"
TEXT = "# AOT ID: ['0_forward']\nimport torch\n\ndef call(args):\n    return args\n"
CODE = WrapperCode("/tmp/x.py", TEXT, base=fingerprint(TEXT))


def edited(text: str, code: WrapperCode = CODE, base: str = CODE.base) -> tuple[object, object]:
    return apply_edit(code, ReplaceWrapper(STAGE, text, base))


def test_undo_brings_back_exactly_what_was_there() -> None:
    once, back = edited(TEXT.replace("return args", "return args[:1]"))
    assert isinstance(once, WrapperCode)
    twice, back_again = edited(TEXT.replace("return args", "return []"), once)
    assert apply_edit(twice, back_again)[0] == once  # type: ignore[arg-type]
    undone, again = apply_edit(once, back)  # type: ignore[arg-type]
    assert undone == CODE
    assert apply_edit(undone, again)[0] == once
    assert keeps_graphs(back)  # type: ignore[arg-type]


def test_numbers_in_comments_make_no_other_wrapper() -> None:
    assert fingerprint(TEXT) == fingerprint(TEXT.replace("0_forward", "7_forward"))
    assert fingerprint(TEXT) != fingerprint(TEXT.replace("import torch", "import math"))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (TEXT.replace("return args", "return (args"), 5, "never closed"),
        (TEXT.replace("def call", "def run"), 1, "defines no call"),
        ("\0", 1, "null bytes"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(text: str, line: int, what: str) -> None:
    found = syntax_error(text)
    assert found[0] == line
    assert what in found[1]
    with pytest.raises(EditError, match=what):
        edited(text)


def test_a_call_that_a_runner_gives_counts() -> None:
    assert syntax_error("class Runner:\n    pass\nrunner = Runner()\ncall = runner.call\n") is None


def test_what_cannot_be_edited_says_why() -> None:
    other = TEXT.replace("args\n", "args[0]\n")
    with pytest.raises(EditError, match="another wrapper"):
        edited(other, base="0")
    with pytest.raises(EditError, match="cpp_wrapper"):
        edited(other, msgspec.structs.replace(CODE, language="cpp"))
    with pytest.raises(EditError, match="the same"):
        edited(TEXT)
    with pytest.raises(EditError, match="only the text"):
        apply_edit(CODE, BypassNode(STAGE, "a", None))
