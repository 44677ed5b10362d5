"""Guards, recompiles, and the tester, against what torch does."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.errors import EngineError
from compiler.engine.guards.frame_inputs import frame_inputs
from compiler.engine.guards.guard_tester import first_not_held, measure_guards
from compiler.engine.guards.guard_tester import test_guards as try_guards
from compiler.engine.torch_internals.dynamo_guards import guard_checks
from compiler.engine.torch_internals.dynamo_guards.cache_entries import entries_of
from compiler.engine.torch_internals.dynamo_guards.guard_checks import failing_guards
from compiler.engine.torch_internals.dynamo_guards.recorded_inputs import met_by
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.guards import GuardTree, compare_symbols, compare_trees
from compiler.model.guard_testing.guard_tests import GuardChange, NewValue, TensorChange
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine

HERE = Path(__file__).resolve().parents[1]
PROGRAM = str(HERE / "guarded_programs.py")


def captured(name: str, training: bool = True, backend: str = "eager") -> LiveCapture:
    spec = CaptureSpec(
        TargetSpec(name, str(HERE)),
        CompileOptions(backend=backend),
        RunOptions(training=training, gradients=True),
    )
    return make_capture(spec, "capture-1", lambda text: None)


@pytest.fixture(scope="module")
def recompiles() -> LiveCapture:
    return captured("guarded_programs.py:Recompiles", training=False)


@pytest.fixture
def guarded() -> LiveCapture:
    return captured("guarded_programs.py:Guarded")


@pytest.mark.thorough
def test_every_recompile_is_there_with_every_failing_guard_of_every_entry(recompiles: LiveCapture) -> None:
    records = recompiles.capture.recompiles
    called = records[0].compile_id.split("/")[0]
    assert [record.compile_id for record in records] == [f"{called}/{number}" for number in range(1, 7)]
    code = next(frame.code for frame in recompiles.recorder.frames if frame.id == f"{called}/0")
    assert len(entries_of(code)) == len(records) + 1  # each compile left code
    for number, record in enumerate(records, 1):
        assert len(record.entries) == number  # each earlier code was tried
        assert all(entry.failed and all(entry.reasons) for entry in record.entries)
    first = {record.compile_id.split("/")[1]: " ".join(record.entries[-1].reasons) for record in records}
    assert first["1"] == "x: size of dimension 0: expected 8, got 9"
    assert first["2"] == "x: dtype: expected torch.float32, got torch.float64"
    assert first["3"] == "x: requires_grad: expected False, got True"
    assert first["4"] == "L['self'].flag == True, but now False"
    assert "grad_mode" in first["5"]
    assert first["6"] == "G['SCALE'] == 2.0, but now 3.0"
    both = records[3].entries[0].failed  # the 4th against the 3rd: torch tells the first only
    assert [item.kind for item in both] == ["TENSOR_MATCH", "TRUE_MATCH"]
    assert {item.line.path for item in both if item.line} == {PROGRAM}


def _of_the_recompiled(live: LiveCapture) -> list[GuardTree]:
    """The guards of each compile of the frame that is compiled again and again."""
    called = live.capture.recompiles[0].compile_id.split("/")[0]
    return [tree for tree in live.capture.guards if tree.compile_id.split("/")[0] == called]


@pytest.mark.thorough
def test_symbols_say_where_they_were_made_and_what_is_assumed_of_them(recompiles: LiveCapture) -> None:
    static, dynamic = _of_the_recompiled(recompiles)[:2]
    assert (static.symbols, static.shape_guards) == ((), ())
    (symbol,) = dynamic.symbols
    assert symbol.hint == "9"
    assert symbol.range == "[6, ∞]"
    assert symbol.sources == ("L['x'].size()[0]",)
    assert symbol.created.text == "x = x * SCALE + len(names)"
    (assumed,) = dynamic.shape_guards
    assert (assumed.line.path, assumed.line.line) == (PROGRAM, 21)
    assert len(compare_symbols(static, dynamic)) == 2
    changed = {item.id for item in compare_trees(static, dynamic)}
    assert "L['x'] TENSOR_MATCH" in changed
    assert any("SYMBOLIC_SHAPE" in name or "LAMBDA" in name for name in changed)


@pytest.mark.thorough
def test_symbols_keep_their_line_when_aot_makes_the_inputs_again() -> None:
    live = captured("guarded_programs.py:Recompiles", training=False, backend="aot_eager")
    (symbol,) = _of_the_recompiled(live)[1].symbols
    assert symbol.created.text == "x = x * SCALE + len(names)"


def test_of_sizes_that_cannot_be_asked_for_the_guard_is_reported_that_says_why() -> None:
    """einops is called with tensors of any rank: torch says that this one has another, not that 27 equations of sizes fail."""

    def halves(x: torch.Tensor) -> torch.Tensor:
        return x.reshape(x.shape[0] // 2, 2 * x.shape[1]) * 2

    torch.compiler.reset()
    torch.compile(halves, backend="eager", dynamic=True)(torch.randn(8, 6))
    (entry,) = entries_of(halves.__code__)

    def failed(x: torch.Tensor) -> list[tuple[str, str]]:
        guards = failing_guards(entry.guard_manager, {"x": x}, None)
        return [(guard.source, guard.kind) for guard in guards]

    assert failed(torch.randn(10, 7)) == []
    assert failed(torch.ones(4)) == [("L['x']", "TENSOR_MATCH")]
    assert set(failed(torch.ones(9, 6))) == {("L", "LAMBDA_GUARD")}, "what can be asked is told"
    torch.compiler.reset()


def test_a_class_in_place_of_another_is_no_wrong_type() -> None:
    """*expected a GuardTree, got a type*: torch writes a class's own name where it writes the type of everything else."""

    def f(x: torch.Tensor, kind: type) -> torch.Tensor:
        return x + 1 if kind is GuardTree else x - 1

    torch.compiler.reset()
    torch.compile(f, backend="eager")(torch.ones(2), GuardTree)
    (entry,) = entries_of(f.__code__)
    failed = failing_guards(entry.guard_manager, {"x": torch.ones(2), "kind": GuardChange}, None)
    (reported,) = (guard.reason for guard in failed if guard.kind == "ID_MATCH")
    named = f"{GuardChange.__module__}.GuardChange"
    was = f"{GuardTree.__module__}.GuardTree"
    assert reported.startswith(f"expected the class {was}, got the class {named}: ___check_obj_id(")
    torch.compiler.reset()


def _rule(scale: float) -> type:
    class Rule:
        pass

    Rule.scale = scale  # type: ignore[attr-defined]
    return Rule


def test_what_differs_is_named_where_both_have_one_name() -> None:
    """*expected a Rule, got a Rule*; *another Rule than before*, where the class itself was expected."""

    def f(x: torch.Tensor, rule: Any, does: Any) -> torch.Tensor:
        return does(x) + (1 if rule is expected else rule.scale)

    expected, other = _rule(1.0), _rule(2.0)

    def reported(before: Any, now: Any) -> list[str]:
        torch.compiler.reset()
        torch.compile(f, backend="eager")(torch.ones(2), before, torch.sin)
        (entry,) = entries_of(f.__code__)
        names = {"x": torch.ones(2), "rule": now, "does": torch.nn.functional.gelu, "expected": expected}
        return [
            guard.reason.partition(": ___")[0].replace(name, "Rule")
            for guard in failing_guards(entry.guard_manager, names, None)
        ]

    name = f"{expected.__module__}.{expected.__qualname__}"
    instances = reported(expected(), other())
    assert "expected a Rule, got one of another class of that name" in instances
    kind = "builtin_function_or_method" if torch.__version__ >= "2.13" else "object"
    assert f"another {kind} than before, now gelu" in instances
    assert "expected the class Rule, got another class of that name" in reported(expected, other)
    assert "expected the class Rule, got a Rule" in reported(expected, expected())
    torch.compiler.reset()


def test_a_check_that_torch_writes_twice_is_reported_once() -> None:
    trees = captured("guarded_programs.py:Rates", training=False).capture.guards
    codes = [leaf.code for tree in trees for node in tree.nodes for leaf in node.leaves]
    assert "L['self'].rate == 0.1" in {code for row in codes for code in row}
    assert all(len(set(row)) == len(row) for row in codes)


def test_the_guard_that_keeps_code_from_being_run_is_named(guarded: LiveCapture) -> None:
    """Nothing fails where other code was compiled since: einops keeps what it knows of a type at its first eager call."""
    (name,) = (frame.id for frame in guarded.capture.frames if frame.guards)
    assert first_not_held(guarded, {name}) == ()
    guarded.program.callable.flag = False  # type: ignore[attr-defined]
    (reported,) = first_not_held(guarded, {name})
    assert reported.startswith(f"{name}: ")
    assert "flag" in reported
    assert first_not_held(guarded, {"7/7"}) == ()


def test_guards_lead_to_the_users_line(guarded: LiveCapture) -> None:
    (tree,) = guarded.capture.guards
    assert tree.count == next(frame.guards for frame in guarded.capture.frames)
    lines = {(node.source, leaf.kind): tree.line_of(leaf) for node in tree.nodes for leaf in node.leaves}
    flag, scale = lines["L['self'].flag", "TRUE_MATCH"], lines["G['SCALE']", "EQUALS_MATCH"]
    assert (flag.path, flag.text) == (PROGRAM, "if self.flag:")
    assert (scale.path, scale.function) == (PROGRAM, "forward")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["recompiling.py:Changing", "lost_branch.py:Branch"])
def test_examples(name: str) -> None:
    live = capture(name, backend="aot_eager")
    shown = live.capture
    assert not consistent(shown)[1]
    assert {tree.compile_id for tree in shown.guards} == {frame.id for frame in shown.frames if frame.guards}
    again = sum(
        len(entries_of(code)) - 1
        for code in {frame.code for frame in live.recorder.frames if frame.rewritten}
    )
    assert len(shown.recompiles) == again
    assert all(entry.failed for record in shown.recompiles for entry in record.entries)
    head = msgspec.structs.replace(shown, stages=(), links=())
    assert msgspec.json.decode(msgspec.json.encode(head), type=Capture) == head


def _x(**change: Any) -> GuardChange:
    return GuardChange(tensors=(TensorChange("x", **change),))


CHANGES: dict[str, tuple[GuardChange, Callable[[Any], Any]]] = {
    "nothing": (GuardChange(), lambda run: run()),
    "shape": (_x(shape=(9, 4)), lambda run: run(x=torch.randn(9, 4))),
    "larger shape": (_x(shape=(70, 4)), lambda run: run(x=torch.randn(70, 4))),
    "small shape": (_x(shape=(3, 4)), lambda run: run(x=torch.randn(3, 4))),
    "rank": (_x(shape=(2, 8, 4)), lambda run: run(x=torch.randn(2, 8, 4))),
    "dtype": (_x(dtype="float64"), lambda run: run(x=torch.randn(8, 4).double())),
    "stride": (_x(stride=(1, 8)), lambda run: run(x=torch.randn(4, 8).t())),
    "requires_grad": (_x(requires_grad=True), lambda run: run(x=torch.randn(8, 4, requires_grad=True))),
    "value": (GuardChange(values=(NewValue("times", "4"),)), lambda run: run(times=4)),
    "length": (GuardChange(values=(NewValue("names", "('a',)"),)), lambda run: run(names=("a",))),
    "same value": (GuardChange(values=(NewValue("times", "3"),)), lambda run: run(times=3)),
    "attribute": (GuardChange(attributes=(NewValue("self.flag", "False"),)), lambda run: run(flag=False)),
    "training": (GuardChange(training=False), lambda run: run(training=False)),
    "grad mode": (GuardChange(gradients=False), lambda run: run(grad=False)),
    "global": (GuardChange(globals=(NewValue("SCALE", "5.0"),)), lambda run: run(scale=5.0)),
    "two at once": (
        GuardChange((TensorChange("x", dtype="float64"),), training=False),
        lambda run: run(x=torch.randn(8, 4).double(), training=False),
    ),
}


def test_the_tester_says_what_then_happens(guarded: LiveCapture) -> None:
    """Each change is tried on the guards, then really run, twice: was there a compile, did the right code run?"""
    module, code = guarded.program.module, guarded.recorder.top_code
    assert module is not None
    assert code is not None
    scope = guarded.recorder.top_globals

    def run(x: Any = None, training: bool = True, grad: bool = True, flag: bool = True, **more: Any) -> None:
        scope["SCALE"] = more.pop("scale", 2.0)
        module.train(training)
        module.flag = flag
        with torch.set_grad_enabled(grad):
            guarded.compiled(guarded.program.args[0] if x is None else x, guarded.program.args[1], **more)
        module.train(True)
        module.flag, scope["SCALE"] = True, 2.0

    misses = 0
    with torch._dynamo.config.patch(recompile_limit=64):
        for change, really in CHANGES.values():
            for _ in range(2):
                before = {str(entry.compile_id) for entry in entries_of(code)}
                said = try_guards(guarded, change, "")
                really(run)
                now = entries_of(code)
                new = {str(entry.compile_id) for entry in now} - before
                assert bool(new) == (not said.hit), change
                if said.hit:
                    assert str(now[0].compile_id) == said.hit, change  # torch puts the one it used first
                else:
                    misses += 1
                    assert all(entry.first and entry.failed for entry in said.entries), change
    assert misses >= 10
    assert module.flag
    assert module.training
    assert scope["SCALE"] == 2.0


def test_the_tester_changes_nothing_and_names_what_is_wrong_with_a_change(guarded: LiveCapture) -> None:
    before = guarded.program.args[0].clone()
    for wrong in (
        _x(dtype="float65"),
        _x(shape=(1 << 40, 4)),
        GuardChange(tensors=(TensorChange("z", dtype="float64"),)),
        GuardChange(values=(NewValue("times", "1 +"),)),
        GuardChange(attributes=(NewValue("self.no.such", "1"),)),
        GuardChange(globals=(NewValue("NONE", "1"),)),
    ):
        with pytest.raises(EngineError) as reported:
            try_guards(guarded, wrong, "")
        assert reported.value.problem.what
        assert reported.value.problem.remedy
    assert torch.equal(guarded.program.args[0], before)
    assert try_guards(guarded, GuardChange(), "").hit == "0/0"
    assert [item.name for item in guarded.capture.arguments] == ["x", "y", "times", "names[0]", "names[1]"]
    only_length_matters = GuardChange(values=(NewValue("names[1]", "None"),))
    assert try_guards(guarded, only_length_matters, "").hit == "0/0"


def test_costs_are_measured_for_any_compile(guarded: LiveCapture) -> None:
    tree = guarded.capture.guards[0]
    found = measure_guards(guarded, "0/0")
    assert 0 < found.total < found.cold
    assert len(found.leaves) >= tree.count - 4
    assert all(0 <= leaf < len(tree.nodes[node].leaves) and cost >= 0 for node, leaf, cost in found.leaves)
    with pytest.raises(EngineError):
        measure_guards(guarded, "7/7")


@pytest.mark.thorough
def test_costs_of_a_frame_further_in() -> None:
    live = captured("guarded_programs.py:Recompiles", training=False)
    assert measure_guards(live, live.capture.recompiles[-1].compile_id).total > 0


def test_a_dict_that_grew_is_reported(tmp_path: Path) -> None:
    """Torch checks the length of a dict outside all leaves, and the limit on recompiles is met with reasons too."""
    path = tmp_path / "dicts.py"
    path.write_text(
        "import torch\n\n"
        "def block(d, k):\n    return sum(d.values()) + k\n\n"
        "def program(x):\n"
        "    for d, k in (({'a': x}, 0), ({'a': x, 'b': x * 2}, 0), ({'a': x}, 1), ({'a': x}, 2)):\n"
        "        torch._dynamo.graph_break()\n"
        "        total = block(d, k)\n"
        "    return total\n\n"
        "def example_inputs():\n    return (torch.ones(3),)\n"
    )
    spec = CaptureSpec(TargetSpec("dicts.py:program", str(tmp_path)), CompileOptions(backend="eager"))
    with torch._dynamo.config.patch(recompile_limit=3, automatic_dynamic_shapes=False, specialize_int=True):
        live = make_capture(spec, "capture-1", lambda text: None)
    records = [record for record in live.capture.recompiles if record.name == "block"]
    assert records
    assert all(record.entries and all(all(entry.reasons) for entry in record.entries) for record in records)
    errors = {frame.id: frame.skip_reason for frame in live.capture.frames}
    limit = [record for record in records if "recompile" in errors[record.compile_id].lower()]
    assert limit, errors
    grown = [entry for record in records for entry in record.entries if "len(d)" in entry.note]
    assert grown, records


@pytest.fixture(scope="module")
def framed() -> LiveCapture:
    return captured("framed_programs.py:Framed", backend="eager")


@pytest.mark.thorough
def test_every_compiled_frame_is_tried_with_the_values_it_is_called_with(framed: LiveCapture) -> None:
    """A resume function, and a function called in a loop with other values for each of its compiles, under no_grad."""
    compiles = [tree.compile_id for tree in framed.capture.guards]
    frames = len(framed.recorder.frames)
    reported = {compile_id: frame_inputs(framed, compile_id) for compile_id in compiles}
    assert all(try_guards(framed, GuardChange(), compile_id).hit == compile_id for compile_id in compiles)
    called = {item.id: item.name for item in framed.capture.frames}
    scaled = [compile_id for compile_id in compiles if called[compile_id] == "scaled"]
    (resumed,) = (name for name in compiles if called[name].startswith("torch_dynamo_resume"))
    assert [item.name for item in reported[resumed].arguments] == ["___stack0", "hidden"]
    assert [reported[name].arguments[1].text for name in scaled] == ["1", "2"]
    assert len(framed.recorder.frames) == frames  # looking compiled nothing


def test_changes_of_a_frame_further_in_do_what_the_tester_says(framed: LiveCapture) -> None:
    scope, module = framed.recorder.top_globals, framed.program.module
    assert module is not None
    called = {item.id: item.name for item in framed.capture.frames}
    compiles = [tree.compile_id for tree in framed.capture.guards]
    scaled = next(name for name in compiles if called[name] == "scaled")
    resumed = next(name for name in compiles if called[name].startswith("torch_dynamo_resume"))
    for name, change, failing in (
        (resumed, GuardChange(attributes=(NewValue("self.wide", "False"),)), "L['self'].wide"),
        (resumed, GuardChange(gradients=False), "grad_mode"),
        (resumed, GuardChange((TensorChange("hidden", dtype="float64"),)), "hidden: dtype"),
        (scaled, GuardChange(gradients=True), "grad_mode"),
        (scaled, GuardChange(globals=(NewValue("FACTOR", "1.5"),)), "G['FACTOR']"),
        (scaled, GuardChange(globals=(NewValue("framed_settings.SHIFT", "5.0"),)), "framed_settings'].SHIFT"),
        (scaled, GuardChange(values=(NewValue("times", "7"),)), "times"),
    ):
        tested = try_guards(framed, change, name)
        assert not tested.hit, change
        reasons = " ".join(item.reason for entry in tested.entries for item in entry.failed)
        assert failing in reasons + " ".join(entry.first for entry in tested.entries), change
    assert (scope["FACTOR"], module.wide) == (3.0, True)
    assert try_guards(framed, GuardChange(), scaled).hit == scaled
    with pytest.raises(EngineError, match="no argument"):
        try_guards(framed, GuardChange((TensorChange("nothing", (1,)),)), scaled)
    with pytest.raises(EngineError, match="no compiled code"):
        frame_inputs(framed, "9/9")


def test_modes_of_a_call_are_distinguished_and_put_back(tmp_path: Path) -> None:
    path = tmp_path / "modes.py"
    path.write_text(
        "import torch\n\n"
        "def inner(x):\n    return x @ x\n\n"
        "def program(x):\n"
        "    torch._dynamo.graph_break()\n"
        "    for _ in range(1):\n"
        "        torch._dynamo.graph_break()\n"
        "        with torch.autocast('cpu', torch.bfloat16):\n            x = inner(x)\n"
        "    return x\n\n"
        "def example_inputs():\n    return (torch.ones(3, 3),)\n"
    )
    spec = CaptureSpec(TargetSpec("modes.py:program", str(tmp_path)), CompileOptions(backend="eager"))
    live = make_capture(spec, "capture-1", lambda text: None)
    inner = next(frame.id for frame in live.capture.frames if frame.name == "inner" and frame.guards)
    assert try_guards(live, GuardChange(), inner).hit == inner
    assert not torch.is_autocast_enabled("cpu")
    assert torch.is_grad_enabled()


def test_noting_what_a_frame_is_called_with_is_not_compiled(tmp_path: Path) -> None:
    """Our own dataclass was, where a program goes on in Python between its graphs: an edit's verdict failed for it."""
    (tmp_path / "parts.py").write_text(
        "import torch\n\n"
        "def block(x):\n    return torch.relu(x) * 2\n\n"
        "def program(x):\n    total = 0\n    for part in (x[:4], x[:8]):\n        torch._dynamo.graph_break()\n        total += block(part).sum()\n    return total\n\n"
        "def example_inputs():\n    return (torch.ones(16, 3),)\n"
    )
    spec = CaptureSpec(TargetSpec("parts.py:program", str(tmp_path)), CompileOptions(backend="eager"))
    live = make_capture(spec, "capture-1", lambda text: None)
    block = next(frame.id for frame in live.capture.frames[::-1] if frame.name == "block")
    with torch.compiler.set_stance("fail_on_recompile"):
        assert frame_inputs(live, block).arguments


def test_a_frame_whose_code_has_constants_of_dynamos_is_met() -> None:
    """gpytorch: Dynamo puts a slice among a code's constants, which has no hash up to Python 3.11."""

    def f() -> int:
        return 1

    f.__code__ = f.__code__.replace(co_consts=(*f.__code__.co_consts, [slice(1, 2)]))
    with pytest.raises(TypeError):
        hash(f.__code__)
    assert set(met_by([(f.__code__, "0/0")], f)) == {"0/0"}


def _why(live: LiveCapture) -> dict[str, set[tuple[str, str]]]:
    """By function (what fixed a size, or a guard on sizes; the text of its line) for each guard that failed."""
    reported: dict[str, set[tuple[str, str]]] = {}
    for record in live.capture.recompiles:
        for failed in (failed for entry in record.entries for failed in entry.failed):
            rows = [(item.why, item.line) for item in failed.fixed]
            if failed.kind == "LAMBDA_GUARD":
                rows.append((failed.code, failed.line))
            reported.setdefault(record.name, set()).update(
                (why, line.text if line else "") for why, line in rows
            )
    return reported


def test_what_fixed_a_size_is_reported_with_its_line() -> None:
    """*expected 4, got 7* did not say what fixed it; a range was told of the line that used the size first."""
    reported = _why(captured("guarded_programs.py:Sizes", training=False))
    fixed, asks = "dimension 0 was fixed to", "return x + 1 if x.shape[0] == 4 else x - 1"
    always = f"{fixed} 0, as torch.compile always does with 0 and 1"
    first = f"{fixed} 3, as every size is when a frame is compiled for the first time"
    assert reported["asks"] == {(first, ""), (f"{fixed} 4 by {asks}", asks), (always, "")}
    assert ("2 <= L['x'].size()[0] <= 5", "return x + 1 if x.shape[0] < 6 else x - 1") in reported["bounds"]
    below = {
        ("torch.compile always compiles the sizes 0 and 1 by themselves", ""),
        ("2 <= L['x'].size()[0] <= 5", ""),
    }
    assert below <= reported["bounds"]
    marked = f"{fixed} {{}}, since the tensor is marked so (torch._dynamo.mark_static)"
    if torch.__version__ >= "2.13":  # before it no guard says that a tensor is marked
        assert reported["marked"] == {(marked.format(size), "") for size in (3, 5)}


@pytest.mark.thorough
def test_a_size_that_inductor_fixed_is_reported_of_the_line_it_lowered() -> None:
    """It was told of the head of the frame's function."""
    reported = _why(captured("guarded_programs.py:Lowered", training=False, backend="inductor"))
    (fixed,) = (row for row in reported["cuts"] if "fixed to 5" in row[0])
    assert fixed[1].startswith("return nn.functional.conv2d(")


def test_a_range_of_what_has_no_such_size_is_reported_as_it_stands() -> None:
    scope = guard_checks._Scope(SimpleNamespace(global_scope=None, closure_vars=None), {"x": torch.ones(3)})
    code = "2 <= L['x'].size()[2]"
    failed = guard_checks._with_reasons(("L", "LAMBDA_GUARD", code, code), scope, {}, None)
    assert (failed.code, failed.fixed) == (code, ())
