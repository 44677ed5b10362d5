"""Programs that cannot be compiled: the step is named, and the least graph fails for the same reason, not for any other."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._dynamo.backends import common

from compiler.engine.errors import EngineError
from compiler.engine.failures.find_failure import find_failure
from compiler.engine.failures.observed import failure_of, run_at_level, run_for_breaks, run_text
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.experiments.failures import (
    AOT,
    DIES,
    EAGER,
    HANGS,
    OWN,
    RAISES,
    BreaksMet,
    Failure,
    FailureFound,
    FindFailure,
    ProgramEnded,
)
from tests.compiler.engine.causes import planted

pytestmark = pytest.mark.engine
PROGRAMS = Path(__file__).parents[3] / "data" / "failing_programs.py"
aten = torch.ops.aten


class DiedError(Exception):
    """Stands for the end of the process."""


class HungError(Exception):
    """Stands for a time limit."""


class Here:
    """Trials in this process, where faults are planted; what would end a process is an exception."""

    def level(self, spec: CaptureSpec, level: str | None, seconds: float) -> Failure | None:
        return _reported(run_at_level(spec, level))

    def text(self, text: str, seconds: float) -> Failure | None:
        return _reported(run_text(text))

    def fresh(self, text: str, seconds: float) -> Failure | None:
        return self.text(text, seconds)

    def breaks(self, spec: CaptureSpec, path: str, text: str, seconds: float) -> BreaksMet:
        return run_for_breaks(spec, path, text)


def _reported(ended: ProgramEnded) -> Failure | None:
    torch.compiler.reset()
    failure = ended.failure
    if failure is not None and failure.error == "DiedError":
        return Failure(DIES, "SIGSEGV")
    return Failure(HANGS) if failure is not None and failure.error == "HungError" else failure


def raising(error: type[Exception], where: str = "there") -> Callable[[Any], Any]:
    def wrong(right: Callable[..., Any]) -> Callable[..., Any]:
        def lowered(*args: Any, **kwargs: Any) -> Any:
            raise error(where)

        return lowered

    return wrong


def found_in(name: str, **options: Any) -> FailureFound:
    spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:{name}"), CompileOptions(**options))
    return find_failure(FindFailure(spec, 60.0), Here(), lambda text: None)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("error", "how"),
    [(LookupError, RAISES), (DiedError, DIES), (HungError, HANGS)],
    ids=["raises", "dies", "hangs"],
)
def test_one_operation_is_left_of_what_fails_in_inductor(error: type[Exception], how: str) -> None:
    with planted.wrong_lowering(aten.erf.default, raising(error)):
        found = found_in("Chain")
    assert (found.failure.how, found.level) == (how, OWN)
    assert (found.least.before, found.least.after) == (6, 1)
    assert "torch.erf(" in found.least.text
    assert "torch.randn([1, 1]" in found.least.text
    assert "requires_grad" not in found.least.text.partition("def example_inputs")[2].partition("def ")[0]
    assert [step.wrong for step in found.steps] == [False, False, False, True]


@pytest.mark.thorough
def test_the_reason_stays_the_same() -> None:
    """Another operation fails too, for another reason: without the first it is not the same failure."""
    with (
        planted.wrong_lowering(aten.erf.default, raising(LookupError)),
        planted.wrong_lowering(aten.sinh.default, raising(ArithmeticError)),
    ):
        found = found_in("Chain")
    assert found.failure.error == "ArithmeticError"  # it comes first
    assert "torch.sinh(" in found.least.text
    assert "erf" not in found.least.text.partition("def program")[2]


def test_a_failure_in_aot_is_named_and_its_backend_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    right = common.aot_module_simplified

    def refuses(module: Any, *args: Any, **kwargs: Any) -> Any:
        if any(node.target is torch.erf for node in module.graph.nodes):
            raise LookupError("no erf")
        return right(module, *args, **kwargs)

    monkeypatch.setattr(common, "aot_module_simplified", refuses)
    found = found_in("Chain")
    assert found.level == AOT, found
    assert "AOTAutograd" in found.sentence
    assert found.least is not None, found.why_not
    assert "backend='aot_eager'" in found.least.text
    assert found.least.after == 1


def test_a_failure_in_dynamo_is_named_and_there_is_no_graph() -> None:
    found = found_in("RefusedByDynamo", fullgraph=True)
    assert found.level == EAGER
    assert found.least is None
    assert "before there is a graph" in found.why_not


@pytest.mark.thorough
def test_what_compiles_is_said() -> None:
    found = found_in("Chain")
    assert found.failure is None
    assert found.sentence == "It compiles and runs."


def test_what_fails_by_itself_is_an_error() -> None:
    with pytest.raises(EngineError, match=r"Without torch\.compile"):
        found_in("Broken")


@pytest.mark.thorough
def test_options_that_it_does_not_need_are_left_out() -> None:
    with planted.wrong_lowering(aten.erf.default, raising(LookupError)):
        found = found_in("Chain", dynamic=True, options=(("max_autotune", False), ("cpp.simdlen", 1)))
    assert "options" not in found.least.text.partition("if __name__")[2]
    assert "dynamic" not in found.least.text.partition("if __name__")[2]


@pytest.mark.thorough
def test_nothing_of_the_program_is_in_the_hidden_file() -> None:
    with planted.wrong_lowering(aten.erf.default, raising(LookupError, "secret")):
        found = found_in("Chain")
    assert "secret" in found.least.text
    assert "secret" not in found.least.hidden
    assert "chosen_by_me" not in found.least.hidden


@pytest.mark.thorough
def test_the_file_needs_torch_alone() -> None:
    with planted.wrong_lowering(aten.erf.default, raising(LookupError)):
        found = found_in("Chain")
    names = {
        alias.name
        for node in ast.walk(ast.parse(found.least.text))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert names <= {"base64", "io", "torch"}


def test_errors_of_a_compiler_are_distinguished_by_what_it_says() -> None:
    class CppCompileError(Exception):
        pass

    def failure(text: str) -> Failure:
        return failure_of(CppCompileError(text))

    first = failure("x.cpp:3:1: error: no matching function for call to ‘convert<8>(tmp12)’")
    same = failure("y.cpp:9:1: error: no matching function for call to ‘convert<4>(tmp3)’")
    other = failure("y.cpp:9:1: error: expected ‘;’ before tmp3")
    assert first.same_as(same)
    assert not first.same_as(other)
