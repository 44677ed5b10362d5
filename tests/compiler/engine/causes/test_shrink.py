"""A program that is wrong as compiled becomes the least part of it that still is, as one file that says so by itself."""

import ast
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._inductor import lowering as inductor

from compiler.analysis.text_format.cause_text import cause_document
from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.causes.graph_levels import DYNAMO, parts_of
from compiler.engine.causes.least_program import Drawn, UnprintableError, draws, program_text, written
from compiler.engine.causes.shrink import shrink
from compiler.engine.causes.subprograms import Failing, Subprogram, recorded_values, subprogram
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.patch import graph_caches
from compiler.engine.torch_internals.patch.patching import around
from compiler.engine.torch_internals.patch.settings import capturing
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.experiments.causes import CauseFound
from tests.compiler.engine.causes import planted
from tests.compiler.engine.causes.fault_table import aten, decomposition, lowered
from tests.compiler.engine.causes.test_find_cause import ASKED, PROGRAMS, captured
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine


def runs(text: str) -> None:
    """As ``python FILE.py`` does, with the faults of this process; graph caches know nothing of these."""
    main = types.ModuleType("__main__")
    with capturing(), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", main)
        exec(compile(text, "least", "exec"), vars(main))


@pytest.mark.thorough
def test_one_operation_and_the_smallest_sizes_are_left_of_a_wrong_lowering() -> None:
    with lowered(aten.erf.default).plant():
        program = captured(f"{PROGRAMS}:FeedForward")
        least = shrink(program, (), find_cause(program, ASKED, lambda text: None), lambda text: None)
        with pytest.raises(AssertionError, match="compiled code is wrong"):
            runs(least.text)
    runs(least.text)  # without the fault
    assert (least.before, least.after) == (7, 1)
    assert "torch.randn([1, 1, 1]" in least.text
    assert least.off is not None
    assert least.off > 1e-3


@pytest.mark.thorough
def test_a_wrong_backward_needs_gradients() -> None:
    with decomposition(aten.gelu_backward.default).plant():
        program = captured(f"{PROGRAMS}:Small")
        least = shrink(program, (), find_cause(program, ASKED, lambda text: None), lambda text: None)
        with pytest.raises(AssertionError, match="compiled code is wrong"):
            runs(least.text)
    assert least.after == 1
    assert ".requires_grad_()" in least.text


@pytest.mark.thorough
def test_what_is_right_by_itself_is_an_error() -> None:
    program = captured(f"{PROGRAMS}:Small")
    with pytest.raises(EngineError, match="is right"):
        shrink(program, (), CauseFound("", "lowering", graph="0/0"), lambda text: None)
    with pytest.raises(EngineError, match="no graph"):
        shrink(program, (), CauseFound("", "lowering", graph="7/0"), lambda text: None)


def test_parts_of_a_graph_take_the_values_they_had() -> None:
    graph = torch.fx.symbolic_trace(lambda x, n: (torch.split(x * n, 2)[0] + 1).sum())
    names = [node.name for node in graph.graph.nodes]
    values = {"x": torch.ones(4), "n": 3, "mul": torch.full((4,), 3.0), "add": torch.full((2,), 4.0)}
    values |= {
        "getitem": torch.full((2,), 3.0),
        "sum_1": torch.tensor(8.0),
        "split": (torch.ones(2), torch.ones(2)),
    }
    whole = subprogram(graph, names, values)
    assert whole.calls == 5
    assert torch.equal(whole.module(*whole.inputs)[0], torch.tensor(8.0))
    part = subprogram(graph, ["add", "sum_1"], values)
    assert [node.name for node in part.module.graph.nodes if node.op == "placeholder"] == ["getitem"]
    assert subprogram(graph, ["getitem"], values) is None  # a tuple of tensors is no input
    assert subprogram(graph, [], values) is None


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan"), 0.1, 1e-30])
def test_values_are_written_as_they_are(value: float) -> None:
    module = torch.fx.symbolic_trace(lambda x, y: (x + y,))
    few = torch.tensor([value, 1.0])
    many = torch.full((100,), value).requires_grad_()
    indices, repeated = torch.arange(3), few[:1].expand(4)
    for tensor in (few, many, indices, repeated):
        text = program_text(Subprogram(module, [tensor, tensor]), None, 'a "quoted" reason \\ """')
        names: dict[str, object] = {"__name__": "least"}
        exec(compile(text, "least", "exec"), names)
        written = names["example_inputs"]()[0]  # type: ignore[operator]
        assert written.requires_grad == tensor.requires_grad
        assert written.dtype == tensor.dtype
        assert written.stride() == tensor.stride()
        assert torch.equal(written.detach().nan_to_num(7.0), tensor.detach().nan_to_num(7.0))


def test_drawn_inputs_are_those_that_the_file_draws() -> None:
    module = torch.fx.symbolic_trace(lambda x, y, z: (x + y + z,))
    drawn = Drawn(2, whole_numbers=True)
    given = [torch.zeros(3, 4), torch.arange(3, 7), torch.tensor([True, False])]
    inputs = draws(given, drawn)
    assert set(inputs[1].tolist()) <= set(range(3, 7))
    names: dict[str, object] = {"__name__": "least"}
    exec(compile(program_text(Subprogram(module, inputs), drawn, ""), "least", "exec"), names)
    for ours, theirs in zip(inputs, names["example_inputs"](), strict=True):  # type: ignore[operator]
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("drawn", [Drawn(1), None])
def test_inputs_lie_in_memory_as_they_did(drawn: Drawn | None) -> None:
    module = torch.fx.symbolic_trace(lambda x: (x + 1,))
    given = torch.arange(100.0).view(10, 10).t().requires_grad_()
    inputs = draws([given], drawn) if drawn is not None else [given]
    names: dict[str, object] = {"__name__": "least"}
    exec(compile(program_text(Subprogram(module, inputs), drawn, ""), "least", "exec"), names)
    found = names["example_inputs"]()[0]  # type: ignore[operator]
    assert found.stride() == inputs[0].stride() == (1, 10)
    assert torch.equal(found, inputs[0])
    assert found.requires_grad


@pytest.mark.thorough
def test_the_file_needs_torch_alone(tmp_path: Path) -> None:
    module = torch.fx.symbolic_trace(lambda x: (torch.sin(x).to(torch.device("cpu")),))
    text = program_text(Subprogram(module, draws([torch.zeros(4)], Drawn(0))), Drawn(0), "nothing")
    imported = {
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported <= {"base64", "io", "torch"}
    path = tmp_path / "least.py"
    path.write_text(text)
    done = ran([sys.executable, "-I", str(path)])
    assert (done.returncode, "off by" in done.stdout) == (0, True), done.stderr


@pytest.mark.thorough
def test_nothing_of_the_program_is_reported_where_code_is_hidden() -> None:
    with lowered(aten.tanh.default).plant():
        program = captured(f"{PROGRAMS}:WithSecrets")
        found = find_cause(program, ASKED, lambda text: None)
        least = shrink(program, (), found, lambda text: None)
        with pytest.raises(AssertionError, match="compiled code is wrong"):
            runs(least.hidden)
    assert "secret" in f"{least.text}{found.sentence}{found.path}"
    document = cause_document(found, program.base.capture, least, hide_code=True)
    for text in (least.hidden, document):
        assert "secret" not in text
        assert "cause_programs" not in text
        assert str(PROGRAMS.parent) not in text
    assert "tanh" in document


@pytest.mark.thorough
def test_inputs_that_must_be_the_users_own_are_not_hidden() -> None:
    only_there = 0.5  # what is wrong is wrong of this number alone

    def wrong(right: Callable[..., Any]) -> Callable[..., Any]:
        def lowered_wrong(x: Any) -> Any:
            ours = right(x)
            return inductor.lowerings[aten.where.self](
                inductor.lowerings[aten.eq.Scalar](x, only_there),
                inductor.lowerings[aten.add.Tensor](ours, 1.0),
                ours,
            )

        return lowered_wrong

    with planted.wrong_lowering(aten.tanh.default, wrong):
        spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:Tanh", inputs=f"torch.full((4,), {only_there})"))
        program = EditedProgram(make_capture(spec, "c1", lambda text: None))
        found = find_cause(program, ASKED, lambda text: None)
        least = shrink(program, (), found, lambda text: None)
    assert not least.hidden
    assert "your own" in least.why_not_hidden
    assert "left out: the inputs" in cause_document(found, program.base.capture, least, hide_code=True)


@pytest.mark.thorough
def test_tensors_that_a_program_makes_itself_are_judged_by_float64_too() -> None:
    spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:OwnTensors", inputs="torch.ones(3, 3)"))
    program = EditedProgram(make_capture(spec, "c1", lambda text: None))
    with program.running((), (), lambda text: None):
        source, values = recorded_values(program, parts_of(program, DYNAMO)[0], ())
    nodes = [node.name for node in source.graph.nodes if node.op.startswith("call")]
    whole = subprogram(source, nodes, values)
    assert whole is not None
    text = program_text(whole, None, "")
    assert "index_add" in text
    runs(text)
    with lowered(aten.tanh.default).plant(), pytest.raises(AssertionError, match="compiled code is wrong"):
        runs(text)


@pytest.mark.thorough
@pytest.mark.skipif(
    torch.__version__.startswith("2.11."),
    reason="there the fault comes and goes with the order of a set of strings",
)
def test_a_fault_of_torchs_own_in_compiled_regions_is_made_smaller() -> None:
    """Compiled regions whose results are added to: a kernel writes over what the backward reads."""
    program = captured(f"{PROGRAMS}:Regions")
    found = find_cause(program, ASKED, lambda text: None)
    if not found.wrong:
        pytest.skip("this torch is right")
    assert "inplace_buffers = False" in found.sentence
    assert (found.graph, found.part) == ("0/0", "forward")
    least = shrink(program, (), found, lambda text: None)
    assert least.after < least.before
    assert "@torch.compiler.nested_compile_region" in least.text
    assert "regions" in least.text
    assert "regions" not in least.hidden  # names of parameters, in bodies too
    for text in (least.text, least.hidden):
        with pytest.raises(AssertionError, match="compiled code is wrong"):
            runs(text)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Loop", "Checkpointed", "Conditional", "Attention"])
def test_a_body_of_a_higher_order_operator_is_written(name: str) -> None:
    """Right as it is written, and wrong with a fault in what the body calls."""
    program = captured(f"{PROGRAMS.with_name('higher_order_programs.py')}:{name}", train=name != "Attention")
    part = parts_of(program, DYNAMO)[0]
    with program.running((), (), lambda text: None):
        source, values = recorded_values(program, part, ())
    nodes = [node.name for node in source.graph.nodes if node.op.startswith("call")]
    whole = subprogram(source, nodes, values)
    if name == "Attention" and torch.__version__.startswith("2.11."):
        pytest.skip("how the mask is made cannot be run node by node there, so there are no values")
    assert whole is not None
    text = program_text(whole, None, "")
    assert "_body(" in text
    runs(text)
    assert not Failing(None, None, written).judged(whole).wrong
    with lowered(aten.tanh.default).plant():
        assert Failing(None, None, written).judged(whole).wrong
        with pytest.raises(AssertionError, match="compiled code is wrong"):
            runs(text)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere kernels are linked as torch says")
def test_kernels_of_trials_are_linked_without_reading_torchs_libraries() -> None:
    commands: list[str] = []

    def noting(command: str, *args: Any, original: Any, **rest: Any) -> Any:
        commands.append(command)
        return original(command, *args, **rest)

    tried = Subprogram(torch.fx.symbolic_trace(lambda x: (torch.tanh(x),)), [torch.ones(7)])
    with around("torch._inductor.cpp_builder:run_compile_cmd", noting), graph_caches.nothing_built():
        assert not Failing(None, None, written).judged(tried).wrong
    linked = [command for command in commands if ".main.cpp" in command]
    assert linked
    assert all("loupe_empty_libraries" in command for command in linked)


def test_an_operator_without_a_plain_call_is_named() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output((graph.call_function(torch.ops.higher_order.autograd_function_apply, (x,)),))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    with pytest.raises(UnprintableError, match="autograd_function_apply"):
        program_text(Subprogram(module, [torch.ones(1)]), None, "")


@pytest.mark.thorough
def test_what_a_program_writes_to_its_inputs_counts() -> None:
    with lowered(aten.tanh.default).plant():
        program = captured(f"{PROGRAMS.with_name('higher_order_programs.py')}:Written", train=False)
        part = parts_of(program, DYNAMO)[0]
        with program.running((), (), lambda text: None):
            source, values = recorded_values(program, part, ())
        tried = subprogram(source, [node.name for node in source.graph.nodes if node.target != "sin"], values)
        assert tried is not None
        assert Failing(None, None, written).judged(tried).wrong
        with pytest.raises(AssertionError, match="compiled code is wrong"):
            runs(program_text(tried, None, ""))
