"""What is told of a break beside its id: the stack Dynamo held, what was lost, the frames and calls around it."""

import contextlib
import io
import linecache
import re
import sys
from pathlib import Path

import msgspec
import pytest
import torch._dynamo
from torch._dynamo.types import ConvertFrameReturn
from torch._dynamo.utils import counters

import compiler.engine
from compiler.analysis.remedies import remedies_for
from compiler.command_line.reports.break_reports import break_report
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.torch_internals.dynamo import dynamo_graphs, traced_steps
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.frames import BreakCategory, Frame, GraphBreak
from compiler.model.graph_breaks.break_summary import describe_category, nothing_to_compile
from compiler.model.graph_breaks.ranked_breaks import break_count, ranked_breaks
from compiler.model.graph_breaks.registry_ids import GRAPH_BREAK_CALL
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import SourceStage, StageKind
from tests.links.quick_captures import nothing_built

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]
_FOLDER = Path(__file__).parents[1] / "breaking_programs"
_PATH = str(_FOLDER / "programs.py")
_LINES = (_FOLDER / "programs.py").read_text().split("\n")


def _live(name: str, inputs: str | None = None, **options: object) -> LiveCapture:
    spec = CaptureSpec(
        TargetSpec(f"programs.py:{name}", str(_FOLDER), inputs), CompileOptions(backend="eager", **options)
    )
    with contextlib.redirect_stdout(io.StringIO()):
        return make_capture(spec, "capture-1", lambda text: None)


def _capture(name: str, inputs: str | None = None, **options: object) -> Capture:
    found = _live(name, inputs, **options).capture
    assert not [problem.what for problem in found.problems if "could not be read" in problem.what]
    return found


def _line(word: str, function: str = "") -> int:
    start = next((i for i, text in enumerate(_LINES) if text.startswith(f"def {function}(")), 0)
    return next(i for i, text in enumerate(_LINES, 1) if i > start and text.endswith(f"# {word}"))


def _of_sort(capture: Capture, sort: BreakCategory) -> list[GraphBreak]:
    return [item for item in capture.breaks if item.sort is sort]


def _frame(capture: Capture, name: str) -> Frame:
    return next(frame for frame in capture.frames if frame.name == name)


def _source(capture: Capture):
    contents = (stage.content for stage in capture.stages if isinstance(stage.content, SourceStage))
    return next(content.file for content in contents if content.file.path == _PATH)


def test_symbolic_stack_and_callee_of_a_nested_call() -> None:
    capture = _capture("nested")
    first = capture.breaks[0]
    assert first.callee == "time.sleep"
    callee = ["NULL", "time.sleep"]  # the other way round since Python 3.13
    texts = [value.text for value in first.symbolic_stack]
    assert texts == [*(callee if sys.version_info < (3, 13) else reversed(callee)), "0"]
    assert first.symbolic_stack[texts.index("NULL")].kind == "NullVariable"
    functions = [(location.path.rpartition("/")[2], location.function) for location in first.stack]
    assert functions == [("programs.py", "nested"), ("layers.py", "slow")]
    assert first.stack[0].line == _line("outer")
    assert first.instruction.stage.startswith("bytecode:slow")


def test_stacked_tensor_names_its_node() -> None:
    capture = _capture("branches")
    item = capture.breaks[0]
    held = item.symbolic_stack[-1]
    assert (held.kind, held.text) == ("TensorVariable", "b8[]")
    graph = capture.stage(f"{item.frame}:dynamo").content.graph
    assert held.node in {node.id for node in graph.nodes}


def test_data_dependent_branches_have_id_and_line() -> None:
    reported = {
        item.stack[-1].line: item.registry_id for item in _capture("branches").breaks if item.registry_id
    }
    assert reported[_line("if")] == "GB0170"
    assert reported[_line("while")] == "GB0170"
    assert reported[_line("assert")] == "GB0170"


def test_a_break_in_a_loop_gives_the_frame_up_and_names_its_cause() -> None:
    capture = _capture("loop")
    lost = _of_sort(capture, BreakCategory.LOOP)[0]
    cause = next(item for item in capture.breaks if item.id == lost.caused_by)
    assert lost.skipped_frame
    assert cause.skipped_frame
    assert cause.callee == "print"
    assert lost.stack[-1].line == cause.stack[-1].line == _line("loop")
    frame = _frame(capture, "loop")
    assert frame.skip_reason == f"graph break in a loop: {cause.kind}"
    assert not frame.error
    assert not frame.graph
    assert _line("loop") in _source(capture).eager_lines
    assert _frame(capture, "helper").graph


def test_a_call_of_an_eager_frame_is_reported_with_the_line_that_called_it() -> None:
    capture = _capture("driver")
    limit = _of_sort(capture, BreakCategory.RECOMPILE_LIMIT)[0]
    assert [location.function for location in limit.stack] == ["driver", "scaled"]


def test_recompile_limit_is_reported_with_its_frame() -> None:
    capture = _capture("driver")
    limit = _of_sort(capture, BreakCategory.RECOMPILE_LIMIT)[0]
    assert limit.registry_id == "GB0039"
    assert limit.stack[-1].line == _line("limit", "driver")
    frame = next(frame for frame in capture.frames if frame.id == limit.frame)
    assert frame.name == "scaled"
    assert frame.recompile_reasons
    assert "recompile limit" in frame.skip_reason


@pytest.mark.skipif(not hasattr(ConvertFrameReturn, "skip_reason"), reason="this torch gives no reasons")
def test_a_frame_without_tensors_is_no_break_and_says_why_it_was_left_alone() -> None:
    capture = _capture("no_tensors")
    assert not _of_sort(capture, BreakCategory.SKIPPED_FRAME)
    frame = _frame(capture, "only_numbers")
    assert nothing_to_compile(frame.skip_reason)
    assert frame.line == _line("skipped")


def test_a_lambda_is_where_it_stands_and_a_decorated_function_at_its_def() -> None:
    code = compile("@deco\n\n@other(1)\ndef f(): pass\ng = lambda: 0\ndef never(): pass\n", "<made>", "exec")
    linecache.cache["<made>"] = (1, None, ["@deco\n", "\n", "@other(1)\n", "def f(): pass\n", "g = lambda: 0\n", "def never(): pass\n"], "<made>")  # fmt: skip
    traced_steps._definition_line.cache_clear()
    lines = {
        inner.co_name: traced_steps.definition_line(inner)
        for inner in code.co_consts
        if hasattr(inner, "co_code")
    }
    assert lines == {"f": 4, "<lambda>": 5, "never": 6}


def test_fullgraph_errors_land_in_the_same_place() -> None:
    for name, word, entry in (
        ("branches", "if", "GB0170"),
        ("in_try", "try", "GB0025"),
        ("refused", "refused", "GB0098"),
    ):
        capture = _capture(name, fullgraph=True)
        error = _of_sort(capture, BreakCategory.ERROR)[0]
        assert (error.registry_id, error.stack[-1].line) == (entry, _line(word))
        assert error.hints
        assert error.symbolic_stack
        assert error.instruction is not None
        assert capture.problems


def test_fullgraph_error_of_a_loop_and_of_the_recompile_limit() -> None:
    error = _of_sort(_capture("loop", fullgraph=True), BreakCategory.ERROR)[0]
    assert error.stack[-1].line == _line("loop")
    with torch._dynamo.config.patch(recompile_limit=1):
        live = _live("helper", "torch.ones(2)", fullgraph=True)
    assert not _of_sort(live.capture, BreakCategory.ERROR)


def test_what_torch_fails_at_is_no_graph_break() -> None:
    """It is in the list, with its line; torch counts none."""
    counters["graph_break"].clear()
    capture = _capture("fails_in_torch")
    (item,) = capture.breaks
    assert (item.sort, item.where and item.where.line) == (BreakCategory.FAILURE, _line("no fake"))
    assert not counters["graph_break"]
    assert break_count(capture) == 0
    printed = break_report(capture, ranked_breaks(capture), None)
    assert printed.startswith("No graph breaks, 0 graphs. torch.compile raised an error.")
    assert "fullgraph" not in describe_category(item)


def test_a_failure_in_an_inference_mode_is_reported_and_leaves_torch_usable() -> None:
    """Torch leaves the mode entered, and its tracing's keys in the thread: after that nothing of torch can be called."""
    target = TargetSpec("programs.py:fails_in_inference_mode", str(_FOLDER))
    live = make_capture(
        CaptureSpec(target, CompileOptions(backend="aot_eager")), "capture-1", lambda text: None
    )
    (problem,) = [problem for problem in live.capture.problems if problem.severity is Severity.ERROR]
    # torch 2.11 names what it looked up in vain
    assert re.search("Cannot set version_counter for inference tensor|weakref at", problem.what)
    assert problem.line == _line("inference")
    (item,) = [item for item in live.capture.breaks if item.sort is BreakCategory.FAILURE]
    assert item.where.line == _line("inference")
    titles = [remedy.title for remedy in remedies_for(live.capture, item)]
    assert not [title for title in titles if "break by itself" in title]
    assert not torch.is_inference_mode_enabled()
    assert live.program.callable(*live.program.args).detach() >= 0


def test_what_is_given_up_of_a_resume_function_is_the_rest() -> None:
    (item,) = [
        item for item in _capture("rest_given_up").breaks if item.where and item.where.line == _line("tolist")
    ]
    assert item.skipped_frame
    assert "the rest of the function" in describe_category(item)
    (item,) = [item for item in _capture("in_try").breaks if item.where and item.where.line == _line("try")]
    assert "whole function" in describe_category(item)


def test_refused_call_is_a_sort_of_its_own() -> None:
    item = _of_sort(_capture("refused"), BreakCategory.INLINING_REFUSED)[0]
    assert item.callee == "programs.declined"
    assert item.stack[-1].line == _line("refused")


def test_breaks_in_library_code_keep_the_users_line() -> None:
    capture = _capture("in_library")
    item = capture.breaks[0]
    assert _line("library") in [location.line for location in item.stack if location.path == _PATH]


def test_a_call_that_torch_makes_itself_is_not_said_to_be_taken_out() -> None:
    item = next(row for row in _capture("takes_a_step").breaks if row.registry_id == GRAPH_BREAK_CALL)
    assert item.where.path == _PATH
    assert item.hints == ()


def test_breaks_of_modules_across_files_fold_under_their_frames() -> None:
    capture = _capture("Net")
    frames = {frame.id: frame for frame in capture.frames}
    for frame in capture.frames:
        if frame.name.startswith("torch_dynamo_resume_in_"):
            parent = frames[frame.parent]
            assert parent.breaks
            assert frame.path == parent.path
    inside = [item for item in capture.breaks if item.stack[-1].path.endswith("layers.py")]
    assert inside


@pytest.mark.parametrize(("name", "word"), [("in_try", "try"), ("in_with", "with")])
def test_breaks_in_blocks_have_their_line(name: str, word: str) -> None:
    capture = _capture(name)
    assert capture.breaks[0].stack[-1].line == _line(word)


def test_a_break_that_cannot_be_resumed_from_leaves_the_rest_to_eager() -> None:
    item = _capture("in_try").breaks[0]
    assert item.rest_eager or item.skipped_frame


def test_breaks_in_generators_and_comprehensions() -> None:
    capture = _capture("from_generator")
    assert _line("generator") in [item.stack[-1].line for item in capture.breaks]
    assert _line("caller") in [location.line for location in capture.breaks[0].stack]
    capture = _capture("in_comprehension")
    assert _line("comprehension") in [location.line for location in capture.breaks[0].stack]
    assert capture.breaks[0].callee == "time.sleep"


def test_nested_graph_breaks_keep_one_story() -> None:
    with torch._dynamo.config.patch(nested_graph_breaks=True):
        capture = _capture("nested")
    assert [item.callee for item in capture.breaks] == ["time.sleep"]
    frames = {frame.id: frame for frame in capture.frames}
    resumed = [frame for frame in capture.frames if frame.parent]
    assert resumed
    assert all(frames[frame.parent].name for frame in resumed)


def test_inlined_calls_in_order_with_nodes_and_repeats() -> None:
    calls = _capture("repeated").frames[0].calls
    assert [(call.name, call.depth, call.times) for call in calls] == [
        ("helper", 1, 5),
        ("outer_of", 1, 1),
        ("helper", 2, 1),
    ]
    inputs = 0 if torch.__version__ < "2.12" else 1  # the first made the input, too
    assert [call.nodes for call in calls] == [5 + inputs, 2, 1]
    assert calls[2].caller_line == _LINES.index("    return helper(x) + 1") + 1


def test_refused_and_abandoned_calls_say_why() -> None:
    calls = {call.name: call for call in _capture("nested").frames[0].calls}
    assert calls["slow"].refused.startswith("graph break inside")
    assert calls["slow"].nodes == 0


def test_sizes_of_variables_line_by_line() -> None:
    capture = _capture("sizes", "torch.randn(2, 3)")
    reported = {(item.line, item.name): item for item in capture.variables if item.path == _PATH}
    texts = {
        (_LINES[line - 1].strip().partition("#")[0].strip(), name): item.text
        for (line, name), item in reported.items()
    }
    assert texts["def sizes(x, flag=3):", "x"] == "f32[2, 3]"
    assert texts["y = x.t()", "y"] == "f32[3, 2]"
    assert texts["pair = torch.cat([y, y])", "pair"] == "f32[6, 2]"
    assert texts["z, w = pair.chunk(2)", "z"] == "f32[3, 2]"
    assert texts["z, w = pair.chunk(2)", "w"] == "f32[3, 2]"
    assert texts["def inner(v):", "v"] == "f32[3, 2]"
    assert texts["u = v.mean(0)", "u"] == "f32[2]"
    names = {node.id for node in capture.stage("0/0:dynamo").content.graph.nodes}
    assert {item.node for item in reported.values()} <= names


def test_symbolic_sizes_go_by_their_symbol() -> None:
    capture = _capture("sizes", "torch.randn(2, 3)", dynamic=True)
    reported = {item.name: item.text for item in capture.variables if item.path == _PATH}
    assert reported["x"].startswith("f32[s")
    assert reported["rows"].startswith("int ")
    assert "s" in reported["rows"]


def test_reading_sizes_makes_no_guards(monkeypatch: pytest.MonkeyPatch) -> None:
    def guards() -> list[str]:
        capture = _capture("sizes", "torch.randn(2, 3)", dynamic=True)
        leaves = [leaf for tree in capture.guards for node in tree.nodes for leaf in node.leaves]
        shapes = [guard.expression for tree in capture.guards for guard in tree.shape_guards]
        codes = [code for leaf in leaves for code in leaf.code]
        return [*(re.sub(r"\d{9,}|0x[0-9a-f]{9,}", "address", code) for code in codes), *shapes]

    with_sizes = guards()
    monkeypatch.setattr(traced_steps, "size_of", lambda value: ("", ""))
    monkeypatch.setattr(dynamo_graphs, "size_text", lambda value: "")
    assert guards() == with_sizes


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["driver", "loop", "branches", "Net", "nested"])
def test_every_recompile_torch_counts_has_a_reason(name: str) -> None:
    counters.clear()
    live = _live(name)
    capture = live.capture
    again = [frame.id for frame in capture.frames if frame.id.partition("/")[2] not in ("", "0")]
    reported = {record.compile_id: record for record in capture.recompiles}
    assert set(again) == set(reported)
    for compile_id in again:
        record = reported[compile_id]
        assert all(entry.reasons for entry in record.entries)
        assert record.entries or record.note
        frame = next(frame for frame in capture.frames if frame.id == compile_id)
        assert frame.recompile_reasons
    assert counters["frames"]["total"] >= len(again)
    breaks = sum(counters["graph_break"].values())
    counted = [
        item for item in capture.breaks if item.sort in (BreakCategory.BREAK, BreakCategory.INLINING_REFUSED)
    ]
    assert sum(item.count for item in counted) >= breaks


def test_a_loop_that_breaks_where_it_resumes_is_no_frame_of_itself() -> None:
    capture = _capture("until_it_stays", "torch.rand(8) + 1")
    if any(item.sort is BreakCategory.LOOP for item in capture.breaks):
        pytest.skip("from Python 3.13 on the rest of this loop jumps back, and torch gives such a loop up")
    known = {""}
    for frame in capture.frames:
        assert frame.parent in known, "what it resumes was compiled before it"
        known.add(frame.id)
    assert sum(bool(frame.parent) for frame in capture.frames) >= 2
    (row,) = ranked_breaks(capture)
    assert row.times == len(capture.breaks) == 2
    assert row.ops_cut_off > 0


def test_frames_of_a_file_that_resume_each_other_are_counted_once() -> None:
    capture = _capture("until_it_stays", "torch.rand(8) + 1")
    honest = ranked_breaks(capture)
    names = [frame.id for frame in capture.frames]
    circle = tuple(
        msgspec.structs.replace(frame, parent=names[index - 1]) for index, frame in enumerate(capture.frames)
    )
    row = ranked_breaks(msgspec.structs.replace(capture, frames=circle))[0]
    assert row.ops_cut_off >= honest[0].ops_cut_off


def test_a_break_in_a_generator_is_explained_though_torch_adds_to_what_it_says() -> None:
    first = _capture("in_generator").breaks[0]
    assert first.callee == "torch.equal"
    if "generator" not in first.reason:
        pytest.skip("this torch breaks around the generator")
    assert first.operator == "aten.equal.default"
    assert "non-Tensor output" in first.explanation
    assert first.hints


def test_what_cannot_be_made_again_at_a_break_follows_from_it() -> None:
    capture = _capture("not_made_again")
    failed = [item for item in capture.breaks if "econstruct" in item.kind]
    if not failed:
        pytest.skip("this torch makes it again")
    first = capture.breaks[0]
    assert [item.caused_by for item in failed] == [first.id]
    assert ranked_breaks(capture)[0].first.id == first.id


def test_a_line_leads_to_the_graphs_of_what_it_called_after_a_break() -> None:
    """The stacks of their nodes begin in the function that was called."""
    capture = _capture("called_by_an_eager_line")
    links = Provenance(capture.links)
    here = line_id(_line("caller", "called_by_an_eager_line"))
    graphs = {frame.name: frame.graph for frame in capture.frames if frame.graph}
    reached = links.descendants(place(f"source:{_PATH}", here))
    for name in ("only_broken", "torch_dynamo_resume_in_only_broken"):
        (stage,) = [graph for frame, graph in graphs.items() if frame.startswith(name)]
        nodes = [node.id for node in capture.stage(stage).graph.nodes if node.op.startswith("call_")]
        assert nodes
        assert {node for node in reached.get(stage, set()) if not node.startswith("l_")} == set(nodes)
    # what comes after a break in the function itself is no call of the line that broke
    after = next(
        frame
        for frame in capture.frames
        if frame.name.startswith("torch_dynamo_resume_in_called_by") and frame.graph
    )
    inside = [line.function for line in after.callers if line.path == _PATH]
    assert "called_by_an_eager_line" not in inside
    assert all(line.line != _line("caller", "called_by_an_eager_line") for line in after.callers)


@pytest.mark.thorough
def test_a_line_leads_to_a_kernel_that_only_lays_out_weights_of_what_it_called_after_a_break() -> None:
    """No operation of the program is in it: it is of the inputs that the function called reads."""
    spec = CaptureSpec(
        TargetSpec("programs.py:LaidOutAfterABreak", str(_FOLDER), "torch.randn(2, 8, 8, 8)"),
        run=RunOptions(training=True),
    )
    with nothing_built():
        capture = make_capture(spec, "capture-1", lambda text: None).capture
    forward, _ = capture.of_kind(StageKind.KERNELS)
    links = Provenance(capture.links)
    reached = links.descendants(place(f"source:{_PATH}", line_id(_line("calls it"))))
    ids = {kernel.id for kernel in forward.kernels}
    assert "cpp_fused_0" in ids
    assert ids <= reached[forward.id]


def test_what_a_backend_raised_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch names the backend in the first line of its message and the error in the second."""

    def refused(*_given: object, **_named: object) -> None:
        raise RuntimeError("scan might be aliasing the input or the output")

    monkeypatch.setattr("torch._inductor.compile_fx.compile_fx", refused)
    spec = CaptureSpec(
        TargetSpec("programs.py:only_broken", str(_FOLDER), "torch.ones(2)"), CompileOptions(fullgraph=False)
    )
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    kinds = [item.kind for item in capture.breaks]
    assert any("scan might be aliasing" in kind for kind in kinds), kinds


@pytest.mark.thorough
def test_functions_of_numpy_that_dynamo_never_traces_are_no_breaks() -> None:
    capture = _capture("calls_numpy")
    if hasattr(ConvertFrameReturn, "skip_reason"):  # not in torch 2.11
        assert [frame for frame in capture.frames if "/numpy/" in frame.path]
    assert not [item for item in capture.breaks if "/numpy/" in item.stack[-1].path]


@pytest.mark.thorough
def test_what_listens_is_not_compiled_where_a_backward_graph_is_compiled_while_the_program_runs() -> None:
    """Dynamo looks at all that the program calls then; captum's gradients had frames of ours among their breaks."""
    spec = CaptureSpec(
        TargetSpec("programs.py:gradient_after_a_break", str(_FOLDER)), CompileOptions(backend="aot_eager")
    )
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    assert [stage for stage in capture.stages if stage.id.endswith(":backward:aot")]
    ours = str(Path(compiler.engine.__file__).parent)
    paths = [
        *(frame.path for frame in capture.frames),
        *(line.path for item in capture.breaks for line in item.stack),
    ]
    assert not [path for path in paths if path.startswith(ours)]


def test_generators_of_pythons_own_that_hold_no_tensor_are_no_breaks() -> None:
    """inspect.signature goes over one; torch logs no break there."""
    assert [item.kind for item in _capture("asks_python_itself").breaks if "generator" in item.kind] == []


def test_what_a_break_gave_up_is_reported_once_whatever_torch_calls_it() -> None:
    breaks = _capture("gives_up_at_a_gradient").breaks
    assert _line("gradient") in [item.where.line for item in breaks if item.where]
    assert not [item.reason for item in breaks if item.sort is BreakCategory.SKIPPED_FRAME]
