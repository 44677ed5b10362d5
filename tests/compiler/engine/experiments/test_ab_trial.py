"""Remedies tried on a copy, and what breaks cost, with the real torch.compile."""

from pathlib import Path

import pytest
import torch

from compiler.analysis.experiments.trial_summary import summarise_trial
from compiler.analysis.remedies import remedies_for
from compiler.engine.errors import EngineError
from compiler.engine.experiments.ab_trial import try_changes
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.frames import BreakCategory
from compiler.model.capture.program_changes import (
    AllowInGraph,
    DisableFunction,
    MarkDynamic,
    ReplaceSource,
    SetCompileArgument,
    SetConfig,
)
from compiler.model.experiments.trials import DimensionTrial, Trial
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = pytest.mark.engine

SOURCE = """
import torch

def halve(x):
    return x / 2

def f(x):
    x = halve(x) + 1
    print("shout")
    y = x * 3
    if y.sum() > 0:
        y = y * 2
    else:
        y = y - 1
    return torch.relu(y)

def example_inputs():
    return (torch.ones(8, 4),)
"""


@pytest.fixture
def spec(tmp_path: Path) -> CaptureSpec:
    path = tmp_path / "trial_me.py"
    path.write_text(SOURCE)
    return CaptureSpec(TargetSpec(f"{path}:f"), CompileOptions(backend="eager"), RunOptions())


def quiet(_text: str) -> None:
    pass


def captured(spec: CaptureSpec) -> tuple[Engine, Capture]:
    engine = Engine()
    return engine, engine.capture(spec, "c", quiet)


def tried(spec: CaptureSpec, title: str, line: str) -> Trial:
    engine, capture = captured(spec)
    row = next(
        row for row in ranked_breaks(capture) if row.location is not None and line in row.location.text
    )
    remedy = next(item for item in remedies_for(capture, row.first) if item.title == title)
    return engine.try_changes(spec, (remedy.change,), None, quiet)


@pytest.mark.thorough
def test_the_costs_of_breaks_are_measured(spec: CaptureSpec) -> None:
    engine, capture = captured(spec)
    costs = engine.measure_breaks("c")
    assert costs.step.median > costs.inside.median > 0
    assert costs.eager is not None
    assert sum(gap.time.median for gap in costs.gaps) <= costs.step.median * 1.2
    rows = ranked_breaks(capture, costs)
    assert {row.location.text.strip() for row in rows if row.location} == {
        'print("shout")',
        "if y.sum() > 0:",
    }
    assert all(row.lost is not None and row.spread[0] <= row.lost <= row.spread[1] for row in rows)
    assert [row.lost for row in rows] == sorted((row.lost or 0 for row in rows), reverse=True)


@pytest.mark.thorough
def test_a_setting_takes_a_break_away_and_leaves_torch_as_it_was(
    spec: CaptureSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOUPE_MEASURING_TIME", "1")  # a step takes long on a busy machine
    trial = tried(spec, "Let print run after the graph", "print")
    summary = summarise_trial(trial)
    assert [row.location.text.strip() for row in summary.gone if row.location] == ['print("shout")']
    assert trial.after.breaks == trial.before.breaks - 1
    assert trial.same_results is True
    assert trial.before.printed == trial.after.printed == "shout\n"
    assert trial.before.step is not None
    assert trial.ratio is not None
    assert print not in torch._dynamo.config.reorderable_logging_functions


@pytest.mark.thorough
def test_a_lost_print_is_reported(spec: CaptureSpec) -> None:
    trial = tried(spec, "Remove print", "print")
    assert (trial.before.printed, trial.after.printed) == ("shout\n", "")
    assert "It prints nothing where the program printed 'shout'." in summarise_trial(trial).sentences


@pytest.mark.thorough
def test_an_edit_of_the_source_is_tried_without_touching_the_file(spec: CaptureSpec) -> None:
    path = Path(spec.target.name.rpartition(":")[0])
    trial = tried(spec, "Choose with torch.where", "if y.sum()")
    assert path.read_text() == SOURCE
    assert trial.after.breaks == trial.before.breaks - 1
    assert trial.same_results is True
    (change,) = trial.changes
    assert isinstance(change, ReplaceSource)
    source = next(stage for stage in trial.capture.stages if stage.id.startswith("source:"))
    assert "torch.where(y.sum() > 0, y * 2, y - 1)" in source.content.file.text  # type: ignore[union-attr]
    engine = Engine()
    again = engine.capture(spec, "c", quiet)
    assert len(again.breaks) == trial.before.breaks


@pytest.mark.thorough
def test_wrong_results_are_reported(spec: CaptureSpec) -> None:
    path = spec.target.name.rpartition(":")[0]
    wrong = ReplaceSource(path, SOURCE.replace("x / 2", "x / 3"), "wrong")
    trial = Engine().try_changes(spec, (wrong,), None, quiet)
    assert trial.same_results is False
    assert any(text.startswith("Results differ") for text in summarise_trial(trial).sentences)


def test_source_that_does_not_load_is_one_message(spec: CaptureSpec) -> None:
    path = spec.target.name.rpartition(":")[0]
    with pytest.raises(EngineError, match="Could not load"):
        Engine().try_changes(spec, (ReplaceSource(path, "def f(:\n"),), None, quiet)


def test_functions_are_disabled_and_allowed_only_while_it_runs(spec: CaptureSpec) -> None:
    engine = Engine()
    disabled = engine.try_changes(spec, (DisableFunction("halve"),), None, quiet)
    assert disabled.after.breaks == disabled.before.breaks + 1
    allowed = engine.try_changes(spec, (AllowInGraph("halve"),), None, quiet)
    graph = allowed.capture.stages[
        [stage.id for stage in allowed.capture.stages].index(_first_graph(allowed))
    ].graph
    assert any("halve" in node.target for node in graph.nodes)
    assert allowed.same_results is True


def _first_graph(trial: Trial) -> str:
    return next(stage.id for stage in trial.capture.stages if stage.graph is not None)


@pytest.mark.parametrize(
    "change",
    [
        SetConfig("torch._dynamo.config.no_such_switch", value=True),
        SetConfig("os.environ", value=True),
        SetCompileArgument("speed", 11),
        DisableFunction("nowhere.function"),
        MarkDynamic("z", 0),
        MarkDynamic("x", 7),
    ],
)
def test_what_cannot_be_changed_is_one_message(spec: CaptureSpec, change: SetConfig) -> None:
    with pytest.raises(EngineError):
        Engine().try_changes(spec, (change,), None, quiet)


def test_what_if_a_dimension_were_dynamic(tmp_path: Path) -> None:
    path = tmp_path / "sized.py"
    path.write_text(
        "import torch\n\ndef f(x, y):\n    return torch.relu(x + y) * 2\n\n"
        "def example_inputs():\n    return (torch.ones(8, 4), torch.ones(8, 4))\n"
    )
    spec = CaptureSpec(TargetSpec(f"{path}:f"), CompileOptions(backend="eager"))
    trial = Engine().try_changes(
        spec, (MarkDynamic("x", 0), MarkDynamic("y", 0)), DimensionTrial("x", 0, (8, 9, 16)), quiet
    )
    assert [bool(run.compiled) for run in trial.before.sizes] == [False, True, False]
    assert [bool(run.compiled) for run in trial.after.sizes] == [False, False, False]
    assert trial.before.compile_count == 2
    assert trial.after.compile_count == 1
    assert any("Compiles for all sizes" in row.name for row in summarise_trial(trial).rows)


def test_a_kept_change_is_part_of_the_capture(spec: CaptureSpec) -> None:
    import msgspec

    changed = msgspec.structs.replace(
        spec, changes=(SetConfig("torch._dynamo.config.capture_scalar_outputs", value=True),)
    )
    engine, capture = captured(changed)
    assert capture.spec.changes == changed.changes
    assert torch._dynamo.config.capture_scalar_outputs is False
    assert engine.measure_breaks("c").step.median > 0


def test_a_frame_given_up_for_a_loop_owns_what_runs_eagerly_in_it() -> None:
    target = TargetSpec(f"{EXAMPLES}/six_breaks.py:SixBreaks")
    spec = CaptureSpec(target, CompileOptions(backend="eager"), RunOptions(training=True))
    engine, capture = captured(spec)
    rows = ranked_breaks(capture, engine.measure_breaks("c"))
    printed = next(row for row in rows if row.location is not None and "print" in row.location.text)
    assert printed is rows[0], "three layers run eagerly because of it"
    assert printed.lost is not None
    assert printed.eager_ops >= 3
    loop = next(row for row in rows if row.first.sort is BreakCategory.LOOP)
    assert loop.lost is None, "its cause is what costs"
    frames = {frame.id: frame for frame in capture.frames}
    gate = next(frame for frame in capture.frames if frame.name == "gate")
    assert frames[gate.caller].skip_reason


def test_calls_that_go_on_compiling_are_not_timed(tmp_path: Path) -> None:
    counting = """
import torch

def f(x, seen=[]):
    seen.append(1)
    return x * len(seen)

def example_inputs():
    return (torch.ones(8, 4),)
"""
    (tmp_path / "counting.py").write_text(counting)
    spec = CaptureSpec(
        TargetSpec(f"{tmp_path}/counting.py:f", str(tmp_path)), CompileOptions(backend="eager"), RunOptions()
    )
    trial = try_changes(spec, (SetCompileArgument("dynamic", value=False),), None, lambda text: None)
    assert trial.before.step is None
    assert any("each call compiles again" in note for note in trial.notes)
