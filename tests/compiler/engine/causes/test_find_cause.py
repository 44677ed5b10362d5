"""Faults of many kinds are put into torch, and the search names each, or says that it found nothing; it never names another."""

import logging
import logging.handlers
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.causes.right_results import first_wrong
from compiler.engine.causes.trials import Search, quiet
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.experiments.causes import EAGER, EXPRESSION, CauseFound, CauseStep, FindCause
from compiler.model.ir.stage import KernelStage
from tests.compiler.engine.causes import planted
from tests.compiler.engine.causes.fault_table import SMALL, Fault, aten, decomposition, lowered

pytestmark = pytest.mark.engine
PROGRAMS = Path(__file__).parents[3] / "data" / "cause_programs.py"
EXAMPLES = Path(__file__).parents[4] / "resources" / "examples"
ASKED = FindCause("c1")
QUICK = (
    "decomposition of aten.gelu_backward",
    "lowering of aten.rsqrt.default",
    "fused rsqrt",
    "Dynamo calls silu for gelu",
)


def captured(target: str, train: bool = True) -> EditedProgram:
    run = RunOptions(training=train, gradients=train)
    return EditedProgram(make_capture(CaptureSpec(TargetSpec(target), run=run), "c1", lambda text: None))


def searched(
    target: str, fault: Fault | None, asked: FindCause = ASKED, steps: list[CauseStep] | None = None
) -> CauseFound:
    emit = steps.append if steps is not None else lambda step: None
    if fault is None:
        return find_cause(captured(target), asked, lambda text: None, emit)
    with fault.plant():
        return find_cause(captured(target), asked, lambda text: None, emit)


def row(name: str) -> Fault:
    return next(fault for fault in SMALL if fault.name == name)


@pytest.mark.slow
@pytest.mark.parametrize("fault", SMALL, ids=lambda fault: fault.name)
def test_every_planted_fault_is_named(fault: Fault) -> None:
    found = searched(f"{PROGRAMS}:Small", fault)
    assert fault.is_named(found), found


@pytest.mark.thorough
def test_what_tracing_alone_makes_is_not_taken_for_the_fault() -> None:
    fault = row("Dynamo calls silu for gelu")
    found = searched(f"{PROGRAMS}:MaskIfTraced", fault)
    assert fault.is_named(found), found
    assert "arange" not in found.sentence


@pytest.mark.thorough
def test_a_gradient_that_dynamo_cuts_off_is_named() -> None:
    def cut(x: torch.Tensor, *args: object) -> torch.Tensor:
        return torch.nn.functional.gelu(x).detach()

    fault = Fault(
        "gelu without a gradient",
        lambda: planted.wrong_dynamo(torch.nn.functional.gelu, cut),
        ("dynamo",),
        "needs no gradient",
    )
    found = searched(f"{PROGRAMS}:Small", fault)
    assert fault.is_named(found), found


@pytest.mark.thorough
def test_right_results_have_no_cause() -> None:
    found = searched(f"{PROGRAMS}:Small", None)
    assert not found.kind
    assert not found.wrong
    assert "right on 4 inputs" in found.sentence


@pytest.mark.thorough
def test_it_names_the_graph_and_leaves_the_program_as_it_was() -> None:
    with lowered(aten.sigmoid.default).plant():
        program = captured(f"{PROGRAMS}:Broken")
        before = [
            (graph.function, [half.output.current_callable for half in graph.inductor_graphs])
            for graph in program.base.live.dynamo_graphs
        ]
        found = find_cause(program, ASKED, lambda text: None)
        after = [
            (graph.function, [half.output.current_callable for half in graph.inductor_graphs])
            for graph in program.base.live.dynamo_graphs
        ]
    assert (found.kind, found.nodes) == ("lowering", ("sigmoid",))
    second = program.base.live.dynamo_graphs[1].record.compile_id
    assert (found.graph, found.part) == (second, "forward")
    assert before == after
    assert f"{program.base.live.dynamo_graphs[0].record.compile_id}:forward:post_grad" in found.innocent


@pytest.mark.thorough
def test_random_numbers_are_drawn_as_eager_does() -> None:
    found = searched(f"{EXAMPLES}/mlp_dropout.py:MLP", lowered(aten.relu.default))
    assert (found.kind, found.nodes[0][:4], found.line) == ("lowering", "relu", 16), found


@pytest.mark.thorough
def test_against_eager_and_by_an_expression() -> None:
    fault = decomposition(aten.gelu.default)
    assert fault.is_named(searched(f"{PROGRAMS}:Small", fault, FindCause("c1", against=EAGER)))
    with planted.wrong_pass(
        "post_grad_custom_post_pass", lambda graph: planted.scaled(graph, aten.amax.default, float("nan"))
    ):
        program = captured(f"{PROGRAMS}:Small", train=False)
        check = "not outputs[0].isnan().any()"
        found = find_cause(program, FindCause("c1", (), EXPRESSION, check), lambda text: None)
        assert (found.kind, found.name) == ("pass", "post_grad_custom_post_pass")
        with pytest.raises(EngineError, match="could not be worked out"):
            find_cause(program, FindCause("c1", (), EXPRESSION, "nothing + 1"), lambda text: None)


class Stopped(BaseException):
    """As a cancelled request is told."""


def stopped_after(program: EditedProgram, asked: FindCause, count: int) -> tuple[CauseStep, ...]:
    """The trials that a search tells before it is stopped."""
    reported: list[CauseStep] = []

    def emit(step: CauseStep) -> None:
        reported.append(step)
        if len(reported) == count:
            raise Stopped

    with pytest.raises(Stopped):
        find_cause(program, asked, lambda text: None, emit)
    return tuple(reported)


def run_trials(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What really runs from now on."""
    ran: list[str] = []
    real = Search._tried

    def tried(self: Search, what: str, *others: object) -> CauseStep:
        ran.append(what)
        return real(self, what, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "_tried", tried)
    return ran


def answer(found: CauseFound) -> CauseFound:
    """Without what each run measures again."""
    steps = tuple(msgspec.structs.replace(step, off=None) for step in found.steps)
    return msgspec.structs.replace(found, seconds=0.0, off=None, off_without=None, steps=steps)


@pytest.mark.thorough
@pytest.mark.parametrize("name", QUICK)
def test_a_planted_fault_is_named_and_a_stopped_search_goes_on(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after its first trial, halfway, and after its last, it goes on from there each time."""
    fault = row(name)
    with fault.plant():
        program = captured(f"{PROGRAMS}:Small")
        steps: list[CauseStep] = []
        whole = find_cause(program, ASKED, lambda text: None, steps.append)
        assert fault.is_named(whole), whole
        assert tuple(steps) == whole.steps
        assert whole.off is not None
        assert whole.off > 1e-3
        assert not any(step.off == float("inf") for step in whole.steps)
        assert whole.off_eager is not None
        assert whole.off_eager < 1e-5
        assert whole.path.endswith("cause_programs.py") or whole.kind == "fusion"

        ran = run_trials(monkeypatch)
        total = len(whole.steps)
        known: tuple[CauseStep, ...] = ()
        for count in (*sorted({1, total // 2, total}), None):
            ran.clear()
            before, asked = known, msgspec.structs.replace(ASKED, known=known)
            if count is not None:
                known = stopped_after(program, asked, count)
                assert len(known) == count
            else:
                reported: list[CauseStep] = []
                found = find_cause(program, asked, lambda text: None, reported.append)
                assert answer(found) == answer(whole)
                assert tuple(reported) == found.steps
                known = found.steps
            assert known[: len(before)] == before
            again = [what for what in ran if what in {step.what for step in before}]
            if whole.kind == "decomposition":  # which ones there are is reported by tracing them
                assert len(again) <= 3
            elif before:
                assert again == [before[0].what], "that it is still wrong, and nothing else"
            assert len(ran) - len(again) <= len(known) - len(before)


@pytest.mark.thorough
def test_what_is_known_of_something_else_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with lowered(aten.tanh.default).plant():
        program = captured(f"{PROGRAMS}:Tanh")
        whole = find_cause(program, ASKED, lambda text: None)
        ran = run_trials(monkeypatch)
        assert len(whole.steps) > 10
        first = whole.steps[0]
        assert first.off is not None
        for other in (
            msgspec.structs.replace(first, off=first.off * 2),
            msgspec.structs.replace(first, wrong=False),
            msgspec.structs.replace(first, what="something else"),
        ):
            ran.clear()
            # the others say the opposite of what is so
            lies = tuple(msgspec.structs.replace(step, wrong=not step.wrong) for step in whole.steps[1:])
            found = find_cause(
                program, msgspec.structs.replace(ASKED, known=(other, *lies)), lambda text: None
            )
            assert answer(found) == answer(whole)
            assert len(ran) == len(whole.steps)


@pytest.mark.thorough
def test_what_could_not_be_run_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with lowered(aten.tanh.default).plant():
        program = captured(f"{PROGRAMS}:Tanh")
        whole = find_cause(program, ASKED, lambda text: None)
        ran = run_trials(monkeypatch)
        failed = CauseStep(f"{whole.steps[1].what} (RuntimeError: planted)", None)
        asked = msgspec.structs.replace(ASKED, known=(whole.steps[0], failed, *whole.steps[2:]))
        found = find_cause(program, asked, lambda text: None)
    assert answer(found) == answer(whole)
    assert ran[:2] == [step.what for step in whole.steps[:2]]
    assert len(ran) == len(whole.steps), "what follows it depends on it"


@pytest.mark.thorough
def test_the_edit_of_a_kernel_that_makes_it_wrong_is_named_and_its_trials_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = captured(f"{PROGRAMS}:Small", train=False)
    stage = next(row for row in program.base.capture.stages if isinstance(row.content, KernelStage))
    kernel = next(row for row in stage.kernels if ".exp()" in row.source)
    edits = tuple(
        ReplaceKernel(stage.id, kernel.name, text)
        for text in (kernel.source + "\n// the same", kernel.source.replace(".exp()", ".abs()"))
    )
    asked = FindCause("c1", edits)
    whole = find_cause(program, asked, lambda text: None)
    assert whole.kind == "edit"
    assert "makes it wrong: without it" in whole.sentence
    tried = [step.what for step in whole.steps if "edits" in step.what]
    assert tried == ["with the first 0 of 2 edits", "with the first 1 of 2 edits"]
    assert not program.edits
    ran = run_trials(monkeypatch)
    found = find_cause(program, msgspec.structs.replace(asked, known=whole.steps), lambda text: None)
    assert answer(found) == answer(whole)
    assert ran == [whole.steps[0].what]


@pytest.mark.thorough
def test_what_cannot_be_run_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    program = captured(f"{PROGRAMS}:Small", train=False)
    real = Stepper.compared_step

    def compared_step(self: Stepper, function: Callable[..., object], *within: object) -> Results:
        if function is program.base.compiled:
            raise RuntimeError("planted")
        return real(self, function, *within)  # type: ignore[arg-type]

    monkeypatch.setattr(Stepper, "compared_step", compared_step)
    with pytest.raises(EngineError, match=r"cannot be run: as it is compiled.*planted"):
        find_cause(program, ASKED, lambda text: None)


def test_what_fails_in_a_trial_is_logged_nowhere() -> None:
    log, heard = logging.getLogger("torch._inductor.scheduler"), logging.handlers.BufferingHandler(9)
    log.addHandler(heard)
    try:
        with quiet():
            log.critical("planted")
        log.critical("heard")
    finally:
        log.removeHandler(heard)
    assert [row.msg for row in heard.buffer] == ["heard"]


@pytest.mark.parametrize("bad", range(1, 9))
def test_first_wrong(bad: int) -> None:
    assert first_wrong(8, lambda count: count >= bad) == (bad - 1, bad)
    skips = first_wrong(8, lambda count: None if count == bad else count > bad)
    assert skips in ((bad - 1, bad + 1), (bad - 1, bad))


def test_only_other_values_show_it() -> None:
    def nothing(graph: torch.fx.Graph) -> None:
        """Right for numbers above zero alone."""
        for node in [found for found in graph.nodes if found.target is aten.abs.default]:
            node.target = aten.alias.default

    with planted.wrong_pass("post_grad_custom_post_pass", nothing):
        spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:Positive", inputs="torch.ones(24, 16)"), run=RunOptions())
        program = EditedProgram(make_capture(spec, "c1", lambda text: None))
        found = find_cause(program, ASKED, lambda text: None)
    assert found.kind == "pass"
    assert "Only on other values" in found.notes[0]


@pytest.mark.parametrize(
    ("name", "inputs", "reported"),
    [
        ("i197829", "torch.randn(6, 4)", "reinplace_inplaceable_ops lets"),
        ("i198131", "torch.zeros(3, 4), torch.randn(3, 4)", "remove_noop_ops puts"),
        pytest.param("i189518", "torch.zeros(1)", "pointless_cumsum_replacement", marks=pytest.mark.thorough),
    ],
)
def test_a_pass_of_torchs_own_that_is_wrong_is_named(name: str, inputs: str, reported: str) -> None:
    """Nothing is planted."""
    target = TargetSpec(f"{PROGRAMS.with_name('tracker_bugs.py')}:{name}", inputs=inputs)
    program = EditedProgram(make_capture(CaptureSpec(target), "c1", lambda text: None))
    found = find_cause(program, ASKED, lambda text: None)
    if not found.wrong:
        pytest.skip("this torch is right")
    if (
        name == "i189518" and found.kind == "lowering"
    ):  # from torch 2.14 on the pass puts an iota there that wraps op by op
        assert torch.__version__.startswith(("2.14", "2.15"))
        assert "Inductor makes of iota" in found.sentence
        return
    assert found.kind == "pass"
    assert reported in found.sentence
