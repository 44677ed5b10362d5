"""Two captures compared: nothing for the same program, each difference once, in words that a person can read."""

from collections.abc import Callable

import msgspec

from compiler.analysis.diff.diff_summary import summary
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.capture.guards import FailedGuard, RecompileRecord, TriedEntry
from compiler.model.diff.capture_diff import CaptureDiff, compare_captures
from compiler.model.diff.kernel_diff import kernel_at, kernel_text_diff
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph, SourceLine
from compiler.model.ir.loop_ir import Kernel, KernelSet
from compiler.model.ir.programs import SourceFile
from compiler.model.ir.stage import FxStage, KernelStage, SourceStage, Stage
from tests.helpers.sample_capture import DYNAMO, KERNEL_TEXT, KERNELS, PATH, PROGRAM, SOURCE, capture

replace = msgspec.structs.replace


def _with_stage(base: Capture, stage_id: str, change: Callable[[Stage], Stage]) -> Capture:
    stages = tuple(change(stage) if stage.id == stage_id else stage for stage in base.stages)
    return replace(base, id="capture-2", stages=stages)


def _with_kernels(base: Capture, *kernels: Kernel) -> Capture:
    return _with_stage(base, KERNELS, lambda stage: replace(stage, content=KernelStage(KernelSet(kernels))))


def _kernels(base: Capture) -> tuple[Kernel, ...]:
    return base.stage(KERNELS).kernels


def test_a_capture_does_not_differ_from_itself_but_in_time() -> None:
    diff = compare_captures(capture(), replace(capture("capture-2"), seconds=9.0))
    assert diff.same
    assert summary(diff) == "Nothing changed"
    assert (diff.figure("seconds").before, diff.figure("seconds").after) == (2.5, 9.0)
    assert (diff.before, diff.after) == ("capture-1", "capture-2")


def test_it_survives_writing_and_reading() -> None:
    diff = compare_captures(capture(), _with_kernels(capture()))
    assert not diff.same
    assert msgspec.json.decode(msgspec.json.encode(diff), type=CaptureDiff) == diff
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(diff), type=CaptureDiff) == diff


def test_breaks_are_known_again_where_lines_moved_or_were_touched() -> None:
    base = capture()
    (stop,) = base.breaks
    moved = replace(stop, id="break-7", stack=(replace(stop.stack[-1], line=60),))
    touched = replace(stop, stack=(replace(stop.stack[-1], text="z = torch.relu(y) + 1"),))
    for other in (moved, touched):
        diff = compare_captures(base, replace(base, breaks=(other,)))
        assert diff.same
        assert diff.breaks.kept == ((stop, other),)


def test_breaks_gone_and_new() -> None:
    base = capture()
    (stop,) = base.breaks
    other = replace(stop, kind="Unsupported call", stack=(SourceLine(PATH, 9, "model", "print(z)"),))
    again = replace(stop, id="break-2", frame="0/1")
    diff = compare_captures(base, replace(base, breaks=(other,)))
    assert (diff.breaks.gone, diff.breaks.new) == ((stop,), (other,))
    assert summary(diff) == "1 graph break gone, 1 new"
    assert summary(compare_captures(base, replace(base, breaks=()))) == "1 graph break gone"
    more = compare_captures(base, replace(base, breaks=(stop, again, other)))
    assert more.breaks.new == (again, other)
    assert summary(more) == "2 new graph breaks"


def test_a_break_in_a_resume_function_is_one_of_its_function() -> None:
    line = SourceLine(PATH, 6, "model", "if z.sum() > 0:")
    resumed = replace(line, line=8, function="torch_dynamo_resume_in_model_at_5")
    stops = [
        GraphBreak("break-1", frame, "kind", "why", stack=(at,))
        for frame, at in (("0/0", line), ("1/0", resumed))
    ]
    base = capture()
    diff = compare_captures(replace(base, breaks=(stops[0],)), replace(base, breaks=(stops[1],)))
    assert diff.breaks.same


def test_a_changed_node_is_reported_with_its_stage_and_function() -> None:
    base = capture()

    def gelu(stage: Stage) -> Stage:
        nodes = tuple(replace(node, target="gelu") if node.id == "z" else node for node in stage.graph.nodes)
        return replace(stage, content=FxStage(Graph(nodes)))

    diff = compare_captures(base, _with_stage(base, DYNAMO, gelu))
    assert summary(diff) == "1 graph changed (~1 nodes)"
    (stage,) = diff.stages
    assert (stage.before, stage.after, stage.changed) == (DYNAMO, DYNAMO, 1)
    assert stage.graph.changed[0].what == ("calls torch.relu → gelu",)
    (function,) = diff.functions
    assert (function.ops_gone, function.ops_new) == (("torch.relu",), ("gelu",))
    assert diff.changed_stages() == {DYNAMO}


def test_graphs_that_became_one_are_counted_and_their_frames_paired() -> None:
    base = capture()
    resume = Frame("1/0", "torch_dynamo_resume_in_model_at_6", PATH, 6, graph="1/0:dynamo", guards=3)
    second = replace(base.stage(DYNAMO), id="1/0:dynamo", compile_id="1/0")
    before = replace(base, frames=(*base.frames, resume), stages=(*base.stages, second))
    diff = compare_captures(before, base)
    assert summary(diff) == "2 → 1 graph"
    assert diff.frames == (("0/0", "0/0"),)
    assert [change.before for change in diff.stages if not change.after] == ["1/0:dynamo"]
    (function,) = diff.functions
    assert (function.name, function.graphs, function.ops, function.guards) == (
        "model",
        (2, 1),
        (6, 3),
        (10, 7),
    )


def test_frames_are_paired_by_function_not_by_number() -> None:
    base = capture()
    other = Frame("0/0", "helper", PATH, 1)
    shifted = replace(
        base,
        frames=(other, replace(base.frames[0], id="1/0", graph="1/0:dynamo", rewritten="1/0:rewritten")),
        stages=tuple(
            replace(stage, id=stage.id.replace("0/0:", "1/0:"), compile_id="1/0")
            if stage.compile_id
            else stage
            for stage in base.stages
        ),
    )
    shifted = replace(shifted, frames=(other, replace(shifted.frames[1], original="1/0:bytecode")))
    diff = compare_captures(base, shifted)
    assert diff.frames == (("0/0", "1/0"),)
    assert not diff.stages
    assert diff.kernels.same


def test_kernels_gone_new_renamed_and_changed() -> None:
    base = capture()
    extern, fused = _kernels(base)
    other_name = replace(fused, id="cpp_fused_relu_mul_3", name="cpp_fused_relu_mul_3")
    diff = compare_captures(base, _with_kernels(base, extern, other_name))
    assert diff.same
    assert len(diff.kernels.renamed) == 1

    other_text = replace(other_name, source=KERNEL_TEXT.replace("2.0", "3.0"))
    touched = _with_kernels(base, extern, other_text)
    diff = compare_captures(base, touched)
    (change,) = diff.kernels.changed
    assert summary(diff) == "1 kernel changed"
    text = kernel_text_diff(kernel_at(base, change.before), kernel_at(touched, change.after))
    assert "-    auto tmp2 = tmp1 * 2.0;" in text
    assert "+    auto tmp2 = tmp1 * 3.0;" in text

    diff = compare_captures(base, _with_kernels(base, extern))
    assert [ref.kernel for ref in diff.kernels.gone] == [fused.id]
    assert summary(diff) == "2 → 1 kernel"
    assert [ref.kernel for ref in compare_captures(_with_kernels(base), base).kernels.new] == [
        extern.id,
        fused.id,
    ]


def test_lines_of_a_file_that_are_new_or_gone() -> None:
    base = capture()

    def edited(text: str) -> Capture:
        return _with_stage(
            base, SOURCE, lambda stage: replace(stage, content=SourceStage(SourceFile(PATH, text)))
        )

    diff = compare_captures(base, edited("# a comment\n" + PROGRAM))
    assert [(change.new_lines, change.gone_after) for change in diff.files] == [((1,), ())]
    assert summary(diff) == "The text changed, what is compiled did not"
    diff = compare_captures(base, edited(PROGRAM.replace("    z = torch.relu(y)\n", "")))
    assert [(change.new_lines, change.gone_after) for change in diff.files] == [((), (5,))]
    diff = compare_captures(base, edited(PROGRAM.replace("relu(y)", "gelu(y)")))
    assert [(change.new_lines, change.gone_after) for change in diff.files] == [((6,), ())]


def test_recompiles_and_problems_gone_and_new() -> None:
    base = capture()

    def record(reason: str) -> RecompileRecord:
        failed = FailedGuard("L['x']", "TENSOR_MATCH", "code", reason)
        return RecompileRecord("0/1", "model", (TriedEntry("0/0", (failed,)),))

    before = replace(base, recompiles=(record("size 3"), record("size 4")))
    after = replace(base, recompiles=(record("size 4"), record("dtype")), problems=(Problem("Worse."),))
    diff = compare_captures(before, after)
    assert (diff.recompiles_gone, diff.recompiles_new) == ((record("size 3"),), (record("dtype"),))
    assert [problem.what for problem in diff.problems_gone] == ["relu is slow here."]
    assert summary(diff) == "1 recompile gone, 1 new · 1 problem gone, 1 new"


def test_what_was_asked_for_differently_is_reported() -> None:
    base = capture()
    other = replace(base, spec=replace(base.spec, compile=replace(base.spec.compile, dynamic=True)))
    diff = compare_captures(base, other)
    assert diff.settings == ("dynamic: None → True",)
    assert summary(diff) == "Settings changed"
