"""What was generated is reported before it is built, and is what is compiled in the end."""

import itertools
from collections.abc import Callable, Iterator

import pytest
from torch._inductor.async_compile import get_compile_threads
from torch._inductor.utils import fresh_cache

from compiler.engine.capture import partial_results
from compiler.engine.capture.capture import make_capture
from compiler.engine.capture.partial_results import EarlyStages
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ChooseFusion, Edit, ReplaceKernel, ReplaceTarget
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.stage import KernelStage, LoopStage, WrapperStage
from compiler.model.protocol.partial_results import StagesGenerated
from tests.compiler.engine.conftest import spec

KERNELS = "0/0:forward:kernels"
_IN_TURN = ("0/0:dynamo", "0/0:pre_grad", "0/0:joint", "0/0:forward:post_grad", KERNELS)


def swap(program: EditedProgram, stage: str, target: str, old: str = "relu") -> Edit:
    graph = program.base_graph(stage, ())
    node = next(node for node in reversed(graph.nodes) if old in node.target)
    return ReplaceTarget(
        stage, node.id, "call_function", target, SequenceArgument("tuple", node.args.items[:1])
    )


def touched(program: EditedProgram) -> Edit:
    kernel = next(row for row in program.base.capture.stage(KERNELS).kernels if row.source)
    return ReplaceKernel(KERNELS, kernel.name, kernel.source + "\n// touched")


def texts(capture: Capture) -> dict[str, object]:
    """What of the later stages does not depend on whether they were built."""
    found: dict[str, object] = {}
    for stage in capture.stages:
        match stage.content:
            case KernelStage(kernels=kernels):
                found[stage.id] = [
                    (row.id, row.source, row.loop_nodes, row.origins) for row in kernels.kernels
                ]
            case LoopStage(program=program):
                found[stage.id] = program
            case WrapperStage(code=code):
                found[stage.id] = code.text
            case _ if stage.graph is not None:
                found[stage.id] = stage.graph
    return found


@pytest.fixture(scope="module")
def first() -> Iterator[tuple[EditedProgram, list[StagesGenerated], list[str]]]:
    """A program captured with nothing built before, what was reported meanwhile, and in which order things happened."""
    reported: list[StagesGenerated] = []
    order: list[str] = []

    def emit(event: StagesGenerated) -> None:
        reported.append(event)
        order.append("told")

    with fresh_cache():
        yield (
            EditedProgram(make_capture(spec("mlp.py:MLP"), "capture-1", noting(order), emit=emit)),
            reported,
            order,
        )


def noting(order: list[str]) -> Callable[[str], None]:
    def report_progress(text: str) -> None:
        if text.startswith("Building kernels"):
            order.append("building")

    return report_progress


@pytest.mark.thorough
def test_a_capture_is_reported_before_it_is_built(
    first: tuple[EditedProgram, list[StagesGenerated], list[str]],
) -> None:
    program, reported, order = first
    building = [row for row in reported if row.building]
    assert building
    assert "building" not in order or "told" in order[: order.index("building")]
    early, whole = texts(reported[-1].capture), texts(program.base.capture)
    assert early == {name: whole[name] for name in early}


def test_each_stage_is_reported_when_it_is_made(
    first: tuple[EditedProgram, list[StagesGenerated], list[str]],
) -> None:
    _, reported, _ = first
    known = [{stage.id for stage in row.capture.stages} for row in reported]
    assert all(before <= after for before, after in itertools.pairwise(known))
    fresh = [after - before for before, after in itertools.pairwise([set(), *known])]
    begun = [next(row for row, names in enumerate(fresh) if wanted in names) for wanted in _IN_TURN]
    assert begun == sorted(begun)
    assert len(set(begun)) == len(_IN_TURN)


@pytest.mark.thorough
def test_what_was_reported_leaves_nothing_in_the_capture(
    first: tuple[EditedProgram, list[StagesGenerated], list[str]],
) -> None:
    whole = first[0].base.capture
    quiet = make_capture(spec("mlp.py:MLP"), "capture-9", lambda text: None, alone=False).capture
    assert whole.problems == quiet.problems == ()
    assert [stage.kind for stage in whole.stages] == [stage.kind for stage in quiet.stages]


def test_reporting_stops_where_it_would_cost_too_much() -> None:
    reported: list[StagesGenerated] = []
    emitting = EarlyStages(reported.append)
    emitting.spent = 100.0
    emitting.emit_made(pytest.fail)
    emitting._minor = 100.0
    emitting.emit_while_reading(pytest.fail)
    assert reported == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("stage", "target"),
    [
        ("0/0:dynamo", "torch.tanh"),
        ("0/0:joint", "aten.sin.default"),
        ("0/0:forward:post_grad", "aten.cos.default"),
        (KERNELS, ""),
    ],
)
def test_a_recompile_is_reported_before_it_is_built_and_is_that_of_the_end(
    first: tuple[EditedProgram, list[StagesGenerated], list[str]], stage: str, target: str
) -> None:
    program, reported, order = first
    reported.clear()
    order.clear()

    def emit(event: StagesGenerated) -> None:
        reported.append(event)
        order.append("told")

    edit = swap(program, stage, target) if target else touched(program)
    made = program.recompile((edit,), "capture-2", noting(order), emit)
    program.recompile((), "capture-3", lambda text: None)
    assert order[0] == "told"
    event = reported[-1]
    assert event.building
    assert not any(row.building for row in reported[:-1])
    assert {row.stage for row in event.building} <= set(texts(made))
    assert (event.capture.parent, event.capture.id) == ("capture-1", "capture-2")
    assert texts(event.capture) == texts(made)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("edits", "behind"),
    [  # none that was compiled before: nothing is made again for those
        ([("0/0:dynamo", "relu", "torch.erf")], "0/0:pre_grad"),
        ([("0/0:pre_grad", "relu", "torch.atan")], "0/0:joint"),
        ([("0/0:joint", "relu", "aten.erf.default")], "0/0:forward:post_grad"),
        ([("0/0:forward:aot", "relu", "aten.exp.default")], "0/0:forward:post_grad"),
        ([("0/0:forward:post_grad", "relu", "aten.neg.default")], "0/0:forward:loops"),
        ([("0/0:dynamo", "relu", "torch.abs"), ("0/0:pre_grad", "linear", "torch.cos")], KERNELS),
    ],
)
def test_a_recompile_is_reported_stage_by_stage_and_never_without_its_edits(
    first: tuple[EditedProgram, list[StagesGenerated], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    edits: list[tuple[str, str, str]],
    behind: str,
) -> None:
    monkeypatch.setattr(partial_results, "_SHARE", 100.0)  # however long telling takes
    program, reported, _ = first
    reported.clear()
    wanted = tuple(swap(program, stage, target, name) for stage, name, target in edits)
    made = program.recompile(wanted, "capture-2", lambda text: None, reported.append)
    program.recompile((), "capture-3", lambda text: None)
    early_enough = next(row for row in reported if any(stage.id == behind for stage in row.capture.stages))
    assert bool(early_enough.building) is (behind == KERNELS)
    whole = texts(made)
    del whole["0/0:joint"]  # as it was traced, until its passes ran
    for event in reported:
        early = {name: text for name, text in texts(event.capture).items() if name in whole}
        assert early == {name: whole[name] for name in early}


@pytest.mark.thorough
def test_loop_ir_is_reported_before_it_is_fused_unless_that_was_edited() -> None:
    reported: list[StagesGenerated] = []
    program = EditedProgram(
        make_capture(spec("mlp_dropout.py:MLP"), "capture-1", lambda text: None, alone=False)
    )
    # others were compiled before in this process
    (traced,) = (stage.id for stage in program.base.capture.stages if stage.id.endswith(":dynamo"))
    graph = traced.removesuffix(":dynamo")
    fused = program.base.capture.stage(f"{graph}:forward:fused").content
    assert isinstance(fused, LoopStage)
    group = next(node.children for node in fused.program.nodes if len(node.children) > 1)
    apart = ChooseFusion(f"{graph}:forward:loops", group[0], group[1], False)
    for edit, unfused in (
        (swap(program, f"{graph}:forward:post_grad", "aten.sinh.default"), True),
        (apart, False),
    ):
        reported.clear()
        program.recompile((edit,), "capture-2", lambda text: None, reported.append)
        program.recompile((), "capture-3", lambda text: None)
        names = {stage.id for stage in reported[0].capture.stages}
        assert f"{graph}:forward:loops" in names
        assert (f"{graph}:forward:fused" not in names) is unfused


@pytest.mark.thorough
@pytest.mark.skipif(get_compile_threads() <= 1, reason="torch builds each kernel when it meets it")
def test_building_can_be_cancelled_and_done_again(
    first: tuple[EditedProgram, list[StagesGenerated], list[str]],
) -> None:
    program = first[0]
    edit = swap(program, "0/0:dynamo", "torch.sigmoid")

    def stop(text: str) -> None:
        if text.startswith("Building kernels"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        program.recompile((edit,), "capture-2", stop)
    assert program.edits == ()
    program.base.stepper.step(program.base.compiled)
    made = program.recompile((edit,), "capture-3", lambda text: None)
    program.base.stepper.step(program.base.compiled)
    assert "sigmoid" in str(texts(made))
