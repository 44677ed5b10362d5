"""What makes a step slow is planted, by factors that no noise reaches, and the search names it."""

import contextlib
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.causes import slow_search, speed_trials
from compiler.engine.causes.slow_search import find_slowness
from compiler.engine.measuring.interleaved_timing import Sampler, interleave
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrial
from compiler.model.timing.paired_ratio import PairedRatio
from tests.compiler.engine.causes import planted

pytestmark = pytest.mark.engine
PROGRAMS = Path(__file__).parents[3] / "data" / "cause_programs.py"
ASKED = FindSlowness("c1", anyway=True)
PLAIN = CompileOptions()
SLOW = "[&]{{ auto r = {0}; for (int i = 0; i < 60; i++) r = {1}; return r; }}()"


class Idle:
    """The tests run side by side: the machine is never idle."""

    def others(self) -> float:
        return 0.0


def steady(samplers: Sequence[Sampler], *rest: object, **options: object) -> list[list[int]]:
    """The shortest of some steps each, in steps of a half: whatever else runs on the machine, the same comes out."""
    shortest = [min(sample() for _ in range(15)) for sample in samplers]
    first = shortest[0]
    grid = [first * 1.5 ** round(math.log(max(value, 1) / first, 1.5)) for value in shortest]
    return [[round(value)] * 20 for value in grid]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_search, "MachineLoad", Idle)
    monkeypatch.setattr(slow_search, "interleave", steady)
    monkeypatch.setattr(speed_trials, "_CPU", (("cpp.threads", 1, "kernels on one thread"),))
    monkeypatch.setattr(speed_trials, "_MODE", "default")
    monkeypatch.setenv("LOUPE_MEASURING_TIME", "0.1")


@contextlib.contextmanager
def slow_where_fused() -> Iterator[None]:
    def slow(text: str) -> str:
        vector = "Vectorized" in text or ".sin()" in text
        return SLOW.format(text, "r.sin().exp()" if vector else "std::exp(std::sin(r))")

    with planted.wrong_where_fused("sin", slow):
        yield


@contextlib.contextmanager
def slow_code() -> Iterator[None]:
    def slow(text: str) -> str:
        return SLOW.format(text, "r.sin().exp()" if ".sin()" in text else "std::exp(std::sin(r))")

    with planted.wrong_code("sin", True, slow), planted.wrong_code("sin", False, slow):
        yield


@contextlib.contextmanager
def slow_scalar_code() -> Iterator[None]:
    def slow(text: str) -> str:
        return SLOW.format(text, "std::exp(std::sin(r))")

    with planted.wrong_code("sin", False, slow):
        yield


def searched(name: str, asked: FindSlowness = ASKED, options: CompileOptions = PLAIN) -> SlownessFound:
    spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:{name}"), options, RunOptions(gradients=False))
    program = EditedProgram(make_capture(spec, "c1", lambda text: None))
    return find_slowness(program, asked, lambda text: None)


def kinds(found: SlownessFound) -> list[str]:
    return [trial.kind for trial in found.helped]


@pytest.mark.thorough
def test_a_setting_that_is_not_torchs_own_is_named() -> None:
    with slow_scalar_code():
        found = searched("Chain", options=CompileOptions(options=(("cpp.simdlen", 1),)))
    best = found.helped[0]
    assert best.setting == ("cpp.simdlen", None), found.sentence
    assert best.right
    assert "cpp.simdlen as torch has it at first (None, not 1)" in found.sentence


def test_what_keeps_the_graph_compiled_comes_before_running_op_by_op() -> None:
    def row(kind: str, ratio: float, spread: float = 0.05) -> SpeedTrial:
        paired = PairedRatio(ratio, ratio - spread, ratio + spread, 50)
        return SpeedTrial(f"{kind} {ratio}", kind, paired, paired)

    slower, setting, eager = row("setting", 1.5), row("setting", 0.42), row("op by op", 0.40)
    assert slow_search.ranked([slower, eager, setting]) == [setting, eager, slower]
    quick = row("op by op", 0.20)
    assert slow_search.ranked([setting, quick, eager]) == [quick, setting, eager]


@pytest.mark.slow
def test_a_setting_is_named_by_real_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_search, "interleave", interleave)
    monkeypatch.delenv("LOUPE_MEASURING_TIME")
    found = searched("Wide", options=CompileOptions(options=(("cpp.simdlen", 1),)))
    assert found.helped[0].setting == ("cpp.simdlen", None), found.sentence


@pytest.mark.thorough
def test_code_that_is_slower_than_eager_is_reported_from_a_fusion() -> None:
    with slow_code():
        slow = searched("Wide", FindSlowness("c1"))
    assert slow.slower
    assert kinds(slow)[0] == "op by op", slow.sentence
    assert slow.helped[0].graph == "0/0"
    assert "fusion" not in kinds(slow)
    with slow_where_fused():
        fused = searched("Wide", FindSlowness("c1"))
    assert "fusion" in kinds(fused), fused.sentence
    row = next(trial for trial in fused.helped if trial.kind == "fusion")
    assert len(row.nodes) > 1
    assert row.stage.endswith("fused")


@pytest.mark.thorough
def test_guards_that_take_most_of_a_step_are_reported() -> None:
    found = searched("ManyGuards")
    assert found.guards[0].nanoseconds > 20_000
    assert "guards" in kinds(found), found.trials
    assert "Checking guards takes" in found.sentence
    assert re.fullmatch(r"\d{4} guards on L\['self'\].factors", found.guards[0].guard), found.guards


@pytest.mark.thorough
def test_a_limit_and_other_shapes() -> None:
    below = searched("Wide", FindSlowness("c1", limit=10**12))
    assert below.slower is False
    assert not below.trials
    assert "nothing to look for" in below.sentence
    above = searched("Wide", FindSlowness("c1", limit=1), CompileOptions(dynamic=True))
    assert above.slower
    assert {"shapes", "op by op", "guards"} <= {trial.kind for trial in above.trials}
    assert not any(trial.problem for trial in above.trials), above.trials


@pytest.mark.thorough
def test_another_program_is_what_it_is_compared_with() -> None:
    spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:Wide"), CompileOptions(), RunOptions(gradients=False))
    slow = CompileOptions(options=(("cpp.simdlen", 1),))
    found = searched("Wide", FindSlowness("c1", other=spec), slow)
    assert found.slower
    assert found.than == "the other program's"


def test_a_busy_machine_lets_nothing_be_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Idle, "others", lambda self: 2.0)
    found = searched("Wide", FindSlowness("c1"))
    assert found.slower is None
    assert "a machine that is busy" in found.sentence


@pytest.mark.thorough
def test_what_runs_afterwards_is_what_ran_before() -> None:
    spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:Small"), run=RunOptions(training=True))
    program = EditedProgram(make_capture(spec, "c1", lambda text: None))
    graphs = program.base.live.dynamo_graphs

    def state() -> list[object]:
        return [
            (
                graph.function,
                graph.settings,
                [(half.output.current_callable, half.module) for half in graph.inductor_graphs],
            )
            for graph in graphs
        ]

    before = state()
    seen: list[SpeedTrial] = []
    found = find_slowness(program, ASKED, lambda text: None, seen.append)
    assert state() == before
    assert set(seen) == set(found.trials)
    results = program.base.stepper.compared_step(program.base.compiled)
    assert all(torch.isfinite(value).all() for value in results.tensors.values())
