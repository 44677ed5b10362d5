"""Options that set others, told with the capture; those of newer torches and values that torch does not know, too."""

from pathlib import Path

import pytest
import torch

from compiler.engine.capture.option_notes import option_notes, own_compile_notes, require_options
from compiler.engine.errors import EngineError
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.torch_internals.live.observed_program import ObservedGraph
from compiler.engine.torch_internals.patch import compile_settings
from compiler.engine.torch_internals.patch.compile_settings import compile_interface, implied_settings
from compiler.engine.user_program.live_objects import LiveObject
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.experiments.torch_compile_api import format_implied, parse_value
from compiler.model.graph_breaks.registry_ids import release
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.graph import Graph

pytestmark = pytest.mark.engine
TORCH = release(torch.__version__)
STRICT = {
    "eager_numerics.disable_ftz": True,
    "eager_numerics.division_rounding": True,
    "emulate_precision_casts": True,
}


def options(*rows: tuple[str, object], backend: str = "inductor") -> CompileOptions:
    return CompileOptions(backend=backend, options=rows)  # type: ignore[arg-type]


def capture(tmp_path: Path, *rows: tuple[str, object]):
    path = tmp_path / "divided.py"
    path.write_text("import torch\ndef f(x):\n    return (x / 3).sum()\n")
    spec = CaptureSpec(
        TargetSpec(f"{path}:f", inputs="torch.ones(4)"),
        options(*rows),
        RunOptions(training=False, gradients=False),
    )
    return Engine().capture(spec, "c", lambda text: None)


@pytest.mark.skipif(TORCH >= (2, 14), reason="this torch has it")
def test_an_older_torch_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"numerics needs torch 2\.14 or later; this is torch 2\.1"):
        capture(tmp_path, ("numerics", "strict"))
    require_options(options(("numerics", "strict"), backend="aot_eager"))


@pytest.mark.skipif(TORCH < (2, 14), reason="needs torch 2.14")
def test_strict_numerics_are_captured_with_what_they_set(tmp_path: Path) -> None:
    made = capture(tmp_path, ("numerics", "strict"), ("emulate_precision_casts", False))
    reported = [problem for problem in made.problems if "numerics" in problem.what]
    known = {row.name: row for row in compile_interface().options}
    assert {"default", "strict"} <= set(known["numerics"].values)
    assert parse_value("strict", known["numerics"]) == "strict"
    if TORCH < (2, 15):  # there is the option, but nothing that it implies
        assert not reported
        assert not known["numerics"].sets
        return
    assert dict(implied_settings("numerics", "strict")) == STRICT
    (note,) = reported
    assert note.severity is Severity.NOTE
    assert all(f"{name}=True" in note.what for name in STRICT)
    assert note.what.endswith("What you gave for emulate_precision_casts does not count.")
    assert any("'strict' sets " in words for words in format_implied(known["numerics"]))
    assert ("numerics", "'strict'", "True") in known["emulate_precision_casts"].set_by
    with torch._inductor.config.patch(numerics="strict", emulate_precision_casts=False):
        forced = [torch._inductor.config, *[torch._inductor.config.eager_numerics] * 2]
        assert [getattr(owner, name.rpartition(".")[2]) for owner, name in zip(
            (forced[1], forced[2], forced[0]), STRICT, strict=True)] == list(STRICT.values())  # fmt: skip


@pytest.mark.skipif(TORCH < (2, 14), reason="needs torch 2.14")
def test_a_value_that_torch_does_not_know_is_reported(tmp_path: Path) -> None:
    (note,) = capture(tmp_path, ("numerics", "stricter")).problems
    assert note.severity is Severity.WARNING
    assert "numerics='stricter' without a word" in note.what
    assert "'strict'" in note.remedy


def test_every_implication_of_this_torch_is_in_the_list() -> None:
    config = torch._inductor.config._config
    declared = {
        (name, repr(value), key, repr(forced))
        for name, entry in config.items()
        for value, targets in (getattr(entry, "implies", None) or {}).items()
        for key, forced in targets.items()
    }
    known = compile_interface().options
    sets = {
        (row.name, rule.value, key, forced)
        for row in known
        for rule in row.sets
        for key, forced in rule.settings
    }
    set_by = {(source, value, row.name, forced) for row in known for source, value, forced in row.set_by}
    assert declared <= sets == set_by
    assert bool(declared) == (TORCH >= (2, 15))


def test_what_is_implied_by_what_is_implied_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def __init__(self, implies: dict[object, dict[str, object]] | None = None) -> None:
            self.implies = implies

    rules = {
        "mode": Entry({"strict": {"enabled": True}, 1: {"level": 2}}),
        "enabled": Entry({True: {"level": 3}}),
        "level": Entry(),
    }
    monkeypatch.setattr(compile_settings, "_entry", rules.get)
    assert implied_settings("mode", "strict") == (("enabled", True), ("level", 3))
    assert implied_settings("mode", True) == ()  # 1 is no True
    notes = option_notes(options(("mode", "strict"), ("level", 5)))
    assert [note.what for note in notes] == [
        "mode='strict' sets enabled=True, level=3. What you gave for level does not count."
    ]
    assert not option_notes(options(("mode", "strict"), backend="eager"))


def _own(graph: torch.fx.GraphModule, _inputs: object) -> object:
    return graph.forward


@pytest.mark.parametrize("made", ["module", "function"])
def test_what_the_program_gives_torch_compile_itself_is_reported(made: str) -> None:
    """It was set aside without a word: what was shown was not what the program compiles."""
    what = torch.nn.Linear(2, 2) if made == "module" else torch.relu
    own = torch.compile(what, backend=_own, dynamic=True, fullgraph=True)
    (note,) = own_compile_notes(own, options())
    assert "itself compiles this with backend='_own', dynamic=True, fullgraph=True;" in note.what
    (note,) = own_compile_notes(
        torch.compile(what, mode="max-autotune-no-cudagraphs", options=None), options()
    )
    assert "max_autotune=True" in note.what
    assert not own_compile_notes(
        torch.compile(what, mode="max-autotune-no-cudagraphs"),
        CompileOptions(mode="max-autotune-no-cudagraphs"),
    )
    for plain in (what, torch.compile(what), torch.compiler.disable(what)):
        assert not own_compile_notes(plain, options())


def test_a_live_module_that_the_program_compiled_says_so() -> None:
    live = LiveObject(torch.compile(torch.nn.Linear(2, 2), dynamic=True), (torch.ones(1, 2),), {})
    (note,) = own_compile_notes(live.program.as_given, options())
    assert "dynamic=True" in note.what


class _Kept:
    """Has what it was made of, and more."""

    def __call__(self, *args: object) -> object:
        return args

    def serialize(self) -> str:
        """As AOTAutograd's has it."""
        return "written"


def test_what_stands_in_for_a_backends_function_has_what_that_has() -> None:
    """A backend of the program's own writes what compile_fx gave it to a file."""
    stands = ObservedGraph(DynamoGraphRecord("0/0", Graph(())), None)  # type: ignore[arg-type]
    assert not hasattr(stands, "serialize")
    assert stands.holding(_Kept()).serialize() == "written"
    assert not hasattr(stands, "anything else")
