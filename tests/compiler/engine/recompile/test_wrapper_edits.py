"""A wrapper is edited: it runs, is judged, and what ran before runs again where it cannot."""

import re

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, ReplaceKernel, ReplaceTarget, ReplaceWrapper
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import WrapperCode
from compiler.model.ir.stage import WrapperStage
from tests.compiler.engine.conftest import spec

WRAPPER, KERNELS, DYNAMO = "0/0:inference:wrapper", "0/0:inference:kernels", "0/0:dynamo"
RETURN = re.compile(r"^( +)return \((\w+), \)$", re.MULTILINE)


class Desk:
    """One captured program, recompiled again and again."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.root = self.engine.capture(
            spec("mlp_dropout.py:MLP", training=False), "root", self.report_progress
        )
        self.said: list[str] = []
        self.count = 0

    def report_progress(self, text: str) -> None:
        if hasattr(self, "said"):
            self.said.append(text)

    def recompile(self, *edits: Edit) -> tuple[Capture, list[bool | None]]:
        self.count += 1
        capture, verdict = self.engine.recompile("root", edits, f"c{self.count}", True, self.report_progress)
        return capture, [row.agrees for row in verdict.comparisons] if verdict is not None else []

    def wrapper(self, capture: Capture | None = None) -> WrapperCode:
        content = (capture or self.root).stage(WRAPPER).content
        assert isinstance(content, WrapperStage)
        return content.code

    def edit(self, old: str | re.Pattern[str], new: str) -> ReplaceWrapper:
        code = self.wrapper()
        text = old.sub(new, code.text) if isinstance(old, re.Pattern) else code.text.replace(old, new)
        assert text != code.text
        return ReplaceWrapper(WRAPPER, text, code.base)


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk()


@pytest.mark.thorough
def test_a_wrapper_that_computes_the_same_is_right_and_builds_nothing(desk: Desk) -> None:
    made, agrees = desk.recompile(desk.edit(RETURN, r"\1result = \2\n\1return (result, )"))
    assert False not in agrees
    assert "return (result, )" in desk.wrapper(made).text
    assert desk.wrapper(made).base == desk.wrapper().base
    assert not any(text.startswith("Building kernels") for text in desk.said)
    back, _ = desk.recompile()
    assert desk.wrapper(back).text == desk.wrapper().text


@pytest.mark.thorough
def test_a_wrapper_that_computes_otherwise_is_found_out(desk: Desk) -> None:
    _, agrees = desk.recompile(desk.edit(RETURN, r"\1return (\2 * 1.5, )"))
    assert False in agrees
    desk.recompile()


@pytest.mark.thorough
def test_a_wrapper_and_a_kernel_of_it_are_edited_side_by_side(desk: Desk) -> None:
    kernel = next(row for row in desk.root.stage(KERNELS).kernels if row.source)
    source = ReplaceKernel(KERNELS, kernel.name, kernel.source + "\n// mine")
    text = desk.edit(RETURN, r"\1result = \2\n\1return (result, )")
    for edits in ((source, text), (text, source)):
        made, agrees = desk.recompile(*edits)
        assert False not in agrees
        assert "// mine" in desk.wrapper(made).text
        assert "return (result, )" in desk.wrapper(made).text
    desk.recompile()


@pytest.mark.parametrize(
    ("new", "what"),
    [
        (r"\1return (\2.no_such_thing, )", "no_such_thing"),
        (r"\1raise SystemError('mine')", "mine"),
    ],
)
def test_an_error_in_call_stands_on_its_line(desk: Desk, new: str, what: str) -> None:
    edit = desk.edit(RETURN, new)
    line = next(number for number, text in enumerate(edit.text.split("\n"), 1) if what in text)
    with pytest.raises(EngineError) as caught:
        desk.recompile(edit)
    assert caught.value.problem.place == place(WRAPPER, f"L{line}")
    assert what in caught.value.problem.what
    _, agrees = desk.recompile()
    assert False not in agrees


def test_an_error_while_it_is_loaded_stands_on_its_line(desk: Desk) -> None:
    text = desk.wrapper().text + "\nno_such_name\n"
    with pytest.raises(EngineError, match="no_such_name") as caught:
        desk.recompile(ReplaceWrapper(WRAPPER, text, desk.wrapper().base))
    assert caught.value.problem.place == place(WRAPPER, f"L{len(text.split(chr(10))) - 1}")


def test_what_is_no_python_is_reported_with_its_line(desk: Desk) -> None:
    text = desk.wrapper().text + "\n)"
    with pytest.raises(EngineError, match="unmatched") as caught:
        desk.recompile(ReplaceWrapper(WRAPPER, text, desk.wrapper().base))
    assert caught.value.problem.place == place(WRAPPER, f"L{len(text.split(chr(10)))}")


@pytest.mark.thorough
def test_an_edited_graph_has_another_wrapper(desk: Desk) -> None:
    graph = next(stage.graph for stage in desk.root.stages if stage.id == DYNAMO)
    relu = next(node for node in graph.nodes if "relu" in node.target)
    swap = ReplaceTarget(DYNAMO, relu.id, "call_function", "torch.tanh", relu.args)
    with pytest.raises(EngineError, match="another wrapper"):
        desk.recompile(swap, desk.edit(RETURN, r"\1return (\2, )  # mine"))
    _, agrees = desk.recompile()
    assert False not in agrees
