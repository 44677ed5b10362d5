"""What torch.compile can be told, and what that changes for a program, with the real torch.compile."""

from pathlib import Path

import pytest
import torch
from torch._dynamo import register_backend

from compiler.analysis.experiments.choice_summary import (
    changes_nothing,
    format_verdict,
    format_warm_up,
    pays_off,
)
from compiler.engine.errors import EngineError
from compiler.engine.experiments.backend_smoke_test import try_backend
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.program_changes import SetCompileArgument, SetCompileOption
from compiler.model.experiments.compile_choices import ChoicesMeasured, CompileChoice, choice_of
from compiler.model.ir.diagnostics import Severity
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = pytest.mark.engine
ARGUMENTS = frozenset({"mode", "dynamic", "fullgraph", "backend", "disable", "recompile_limit"})

SOURCE = """
import torch

def f(x):
    y = torch.relu(x) * 2
    print("break")
    return y + 1

def example_inputs():
    return (torch.ones(8, 4),)
"""


def quiet(_text: str) -> None:
    pass


def measured(target: str, *choices: CompileChoice, backend: str = "inductor") -> ChoicesMeasured:
    spec = CaptureSpec(
        TargetSpec(target, str(EXAMPLES)),
        CompileOptions(backend=backend),
        RunOptions(training=False, gradients=False),
    )
    return Engine().measure_choices(spec, choices, quiet)


def test_the_interface_is_torchs_own():
    known = Engine().compile_interface()
    options = {row.name: row for row in known.options}
    assert set(options) == set(torch._inductor.list_options())
    assert options["max_fusion_size"].documentation == "how many nodes to allow into a single fusion"
    assert options["max_fusion_size"].default == "64"
    assert "TORCHINDUCTOR_MAX_AUTOTUNE" in options["max_autotune"].environment
    assert sum(bool(row.documentation) for row in known.options) > len(options) * 0.6
    assert {"fullgraph", "dynamic", "backend", "mode", "options", "disable"} <= {
        row.name for row in known.arguments
    }
    # torch 2.12 has an argument that its own text leaves out
    silent = [row.name for row in known.arguments if not row.documentation]
    assert not [name for name in silent if f" {name} (" in str(torch.compile.__doc__)]
    modes = {row.name: dict(row.options) for row in known.modes}
    assert modes["reduce-overhead"] == {"triton.cudagraphs": "True"}
    assert {"default", "force_eager", "eager_then_compile"} <= {row.name for row in known.stances}
    assert {"inductor", "eager", "tvm"} <= {row.name for row in known.backends}


COUNTING = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x):
        x = x + self.seen
        WHEN
        return x * self.seen

def example_inputs():
    return (torch.ones(8, 4),)
"""


@pytest.mark.parametrize(("when", "compiling"), [("self.seen += 1", 6), ("self.seen = 5", 1)])
def test_a_call_that_compiles_is_no_steady_step(tmp_path: Path, when: str, compiling: int) -> None:
    """The captured call is repeated on the state that it found: *2.4 ms* was reported as the second call, where that compiles."""
    (tmp_path / "net.py").write_text(COUNTING.replace("WHEN", when))
    found = measured(f"{tmp_path}/net.py:Net", choice_of("dynamic", False, ARGUMENTS), backend="eager")
    base = found.base
    assert base.compiling == tuple(range(1, compiling + 1))
    assert "(compiles again)" in format_warm_up(found, base)
    assert "L['self'].seen == 0" in base.failed_guard
    steady = compiling == 1
    assert (base.side.step is not None) is steady
    assert ("no steady step" in format_verdict(base, found.outcomes[0])) is not steady


def test_a_librarys_module_is_compiled_for_each_choice(tmp_path: Path) -> None:
    """All copies of it share one code object: what the first was compiled to ran in the others too, *1 → 0 graphs*."""
    target = (
        "import torch\ndef make():\n    return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())\n"
    )
    (tmp_path / "made.py").write_text(target + "def example_inputs():\n    return (torch.ones(2, 4),)\n")
    spec = CaptureSpec(
        TargetSpec("made.py:make", str(tmp_path)),
        CompileOptions(backend="eager"),
        RunOptions(training=False, gradients=False),
    )
    choices = (choice_of("fullgraph", True, ARGUMENTS), choice_of("backend", "eager", ARGUMENTS))
    found = Engine().measure_choices(spec, choices, quiet)
    sides = [row.side for row in (found.base, *found.outcomes)]
    assert [side and (side.graphs, side.compiles) for side in sides] == [(1, 1)] * 3
    trial = Engine().try_changes(spec, (SetCompileArgument("fullgraph", True),), None, quiet)
    assert (trial.before.graphs, trial.after.graphs) == (1, 1)


def test_choices_are_reported_by_what_they_change():
    result = measured(
        "mlp.py:MLP",
        choice_of("max_fusion_size", 32, ARGUMENTS),
        choice_of("mode", "reduce-overhead", ARGUMENTS),
        choice_of("backend", "aot_eager", ARGUMENTS),
        choice_of("no_such_option", 1, ARGUMENTS),
    )
    same, cudagraphs, eager, unknown = result.outcomes
    assert changes_nothing(result.base, same)
    assert format_verdict(result.base, same).startswith("Changes nothing here")
    assert not same.code.text
    (note,) = [item for item in cudagraphs.notes if "cudagraphs" in item.what]
    assert note.severity is Severity.NOTE
    assert "cpu device" in note.what
    assert Path(note.path).name == "mlp.py"
    assert note.line is not None
    assert "self.fc1" in (EXAMPLES / "mlp.py").read_text().split("\n")[note.line - 1]
    assert not eager.code.same
    assert eager.code.gone
    assert "gone" in eager.code.text
    assert "no_such_option" in unknown.problem.what
    assert unknown.ratio is None
    for outcome in (result.base, same, cudagraphs, eager):
        assert len(outcome.calls) > 4
        assert outcome.side.step is not None
    for outcome in (same, cudagraphs, eager):
        assert outcome.ratio is not None
        assert outcome.same_results is True
    assert result.eager is not None


@pytest.mark.thorough
def test_choices_for_a_program_with_random_numbers_are_judged_too(tmp_path: Path):
    path = tmp_path / "noisy.py"
    path.write_text(
        "import torch\n\ndef f(x):\n    return torch.nn.functional.dropout(x, 0.5) * 2\n\n"
        "def example_inputs():\n    return (torch.ones(64),)\n"
    )
    result = measured(
        f"{path}:f",
        choice_of("max_fusion_size", 32, ARGUMENTS),
        choice_of("fallback_random", False, ARGUMENTS),
    )
    same, own = result.outcomes
    assert (result.base.same_results, same.same_results, own.same_results) == (True, True, None)
    assert "compiled once more with fallback_random=True" in result.notes[0]
    assert "Results were not compared: it sets fallback_random itself" in format_verdict(result.base, own)


@pytest.mark.thorough
def test_a_choice_that_gives_other_results_says_where(tmp_path: Path):
    @register_backend(name="off_by_two")
    def off_by_two(module, inputs):  # type: ignore[no-untyped-def]
        return lambda *args: tuple(value + 2 for value in module(*args))

    result = measured("mlp.py:MLP", choice_of("backend", "off_by_two", ARGUMENTS), backend="eager")
    (wrong,) = result.outcomes
    assert wrong.same_results is False
    assert "Results differ from what eager gives: output 0 is off by " in format_verdict(result.base, wrong)
    tried = try_backend("off_by_two", quiet)
    assert not tried.works
    assert tried.why.startswith("It gives other results than eager: ")


def test_fullgraph_that_breaks_does_not_work_and_the_rest_goes_on(tmp_path: Path):
    path = tmp_path / "breaks.py"
    path.write_text(SOURCE)
    result = measured(
        f"{path}:f",
        choice_of("fullgraph", True, ARGUMENTS),
        choice_of("disable", True, ARGUMENTS),
        backend="eager",
    )
    refused, disabled = result.outcomes
    assert "fullgraph=True" in refused.problem.what
    assert disabled.problem is None
    assert disabled.side.graphs == 0
    assert "2 → 0 graphs" in format_verdict(result.base, disabled)


def test_what_is_wrong_with_the_program_itself_is_reported_at_once():
    with pytest.raises(EngineError, match="nothing to measure"):
        measured("mlp.py:MLP")


def test_options_and_newer_arguments_reach_torch(tmp_path: Path):
    path = tmp_path / "small.py"
    path.write_text(
        "import torch\n\ndef f(x):\n    return x + 1\n\ndef example_inputs():\n    return (torch.ones(4),)\n"
    )
    changes = (SetCompileOption("nope", 1), SetCompileArgument("backend", "inductor"))
    spec = CaptureSpec(TargetSpec(f"{path}:f"), changes=changes)
    with pytest.raises(EngineError, match="Unexpected optimization option nope"):
        Engine().capture(spec, "c", quiet)
    limited = CaptureSpec(TargetSpec(f"{path}:f"), CompileOptions(backend="eager", recompile_limit=2))
    if "recompile_limit" in {row.name for row in Engine().compile_interface().arguments}:
        assert isinstance(Engine().capture(limited, "c", quiet), Capture)
    else:
        with pytest.raises(EngineError, match="recompile_limit"):
            Engine().capture(limited, "c", quiet)


@pytest.mark.parametrize(
    ("backend", "why"), [("eager", ""), ("tvm", "Error"), ("no_such_backend", "Invalid")]
)
def test_a_backend_works_or_says_why_not(backend: str, why: str):
    tried = try_backend(backend, quiet)
    assert tried.works is not bool(why)
    assert why in tried.why
    assert tried.seconds > 0


def test_when_compiling_has_paid_off():
    from compiler.model.timing.timings import summarise

    step, eager = summarise([100_000] * 9), summarise([300_000] * 9)
    assert step is not None
    calls = (2_000_100_000, 100_000)
    assert "after about 10,000 steps" in pays_off(calls, step, eager)
    assert "not clearly faster" in pays_off(calls, step, step)
