"""Edits of every FX stage: compiled from there on only, right as far as float64 can tell, undone, refused with reasons."""

from collections.abc import Callable
from random import Random

import pytest
import torch
import torch._functorch._aot_autograd.graph_compile as graph_compile

from compiler.engine.errors import EngineError
from compiler.engine.fx.inductor_rng import drawn, seeds
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts import judge_edits as judging
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.edits.edits import BypassNode, Edit, InsertNode, ReplaceTarget, SetArgument
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import EDITABLE_GRAPHS, Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue
from compiler.model.session_file.checks import consistent
from compiler.model.timing.verdicts import Comparison
from tests.compiler.engine.conftest import capture
from tests.helpers.random_edits import random_edit

pytestmark = pytest.mark.engine

Maker = Callable[[str], EditedProgram]


@pytest.fixture(autouse=True)
def briefly_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts here are about results, not times."""
    monkeypatch.setattr(judging, "_SECONDS", 0.01)


def _quiet(text: str) -> None:
    return None


def _graphs(program: EditedProgram) -> list[Stage]:
    return [stage for stage in program.base.capture.stages if stage.kind in EDITABLE_GRAPHS]


def negation(
    program: EditedProgram, stage_id: StageId, edits: tuple[Edit, ...] = (), name: str = "negated"
) -> Edit:
    """A floating result of a graph that is used, negated: the first, or behind edits the last (of a joint graph the
    first, which is forward).
    """
    graph = program.base_graph(stage_id, edits)
    users = graph.users()
    found = [
        node
        for node in graph.nodes
        if node.op == "call_function"
        and isinstance(node.value, TensorValue)
        and "float" in node.value.dtype
        and users[node.id]
        and not node.id.startswith("negated")
    ]
    node = found[0 if stage_id.endswith("joint") or not edits else -1]
    target = "torch.neg" if stage_id.endswith(("dynamo", "pre_grad")) else "aten.neg.default"
    fresh = Node(name, "call_function", target, SequenceArgument("tuple", (NodeArgument(node.id),)))
    uses = tuple((user.id, path) for user in graph.nodes for used, path in user.uses() if used == node.id)
    return InsertNode(stage_id, fresh, graph.index(node.id) + 1, uses)


def _results(program: EditedProgram) -> dict[str, torch.Tensor]:
    return program.base.stepper.compared_step(program.base.compiled).tensors


def _right(program: EditedProgram, edits: tuple[Edit, ...]) -> None:
    verdict = judge_edits(program, edits, 0.0, _quiet)
    judged = [row for row in verdict.comparisons if row.what == "edited" and row.agrees is not None]
    assert judged, [row.note for row in verdict.comparisons]
    assert all(row.agrees for row in judged), verdict.summary


@pytest.mark.thorough
def test_every_graph_of_a_model_with_dropout_in_training(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    before = _results(edited)
    base = {stage.id: stage for stage in edited.base.capture.stages}
    order = list(base)
    graphs = _graphs(edited)
    assert len(graphs) == 7
    for stage in graphs:
        edits = (negation(edited, stage.id),)
        shown, problems = edited.preview(edits)
        assert problems == ()
        value = dict(shown)[stage.id].node("negated").value
        assert isinstance(value, TensorValue)
        found = edited.recompile(edits, "c2", _quiet)
        assert not consistent(found)[1]
        changed = [item.id for item in found.stages if item != base.get(item.id)]
        assert changed[0] == stage.id, "what comes before the edited graph was not made again"
        assert order.index(changed[0]) == min(map(order.index, changed))
        if stage.part:
            assert all(f":{stage.part}:" in name for name in changed), "the other half was not made again"
        assert "edited" in found.stage(stage.id).made_by
        assert found.stage(stage.id).graph is not None
        assert "negated" in found.stage(stage.id).graph.by_id()
        assert edited.base.recorder.faults == []
        _right(edited, edits)
        edited.recompile((), "c3", _quiet)
        assert all(torch.equal(value, before[name]) for name, value in _results(edited).items())


@pytest.mark.thorough
def test_a_joint_edit_is_not_traced_again(program: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = program("mlp.py:MLP")

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("AOTAutograd traced")

    monkeypatch.setattr(graph_compile, "aot_dispatch_autograd_graph", refuse)
    edits = (negation(edited, "0/0:joint"),)
    edited.recompile(edits, "c2", _quiet)
    _right(edited, edits)
    with pytest.raises(EngineError, match="AOTAutograd traced"):
        edited.recompile((negation(edited, "0/0:pre_grad"),), "c3", _quiet)


@pytest.mark.thorough
def test_what_will_be_built_is_reported_before_it_is(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    reported: list[str] = []
    stage = "0/0:forward:post_grad"
    relu = next(node for node in edited.base_graph(stage, ()).nodes if "relu" in node.target)
    edited.recompile(
        (ReplaceTarget(stage, relu.id, "call_function", "aten.tanh.default", relu.args),),
        "c2",
        reported.append,
    )
    text = next(text for text in reported if text.startswith("Building"))  # how far it is follows
    assert text.startswith("Building cpp_")
    assert "built before" in text, "the kernels that did not change are not built again"


@pytest.mark.thorough
def test_edits_of_several_stages_at_once_and_one_by_one(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    chain: tuple[Edit, ...] = ()
    stages = ("0/0:dynamo", "0/0:pre_grad", "0/0:joint", "0/0:forward:aot", "0/0:backward:post_grad")
    for number, stage in enumerate(stages):
        chain = (*chain, negation(edited, stage, chain, f"negated{number}"))
        found = edited.recompile(chain, f"c{number}", _quiet)
        assert not consistent(found)[1]
    _right(edited, chain)
    one_by_one = _results(edited)
    whole = program("mlp_dropout.py:MLP")
    found = whole.recompile(chain, "all", _quiet)
    assert not consistent(found)[1]
    for name, value in _results(whole).items():
        torch.testing.assert_close(value, one_by_one[name])
    without = tuple(edit for edit in chain if edit is not chain[2])
    whole.recompile(without, "less", _quiet)
    _right(whole, without)


@pytest.mark.thorough
def test_an_edit_that_no_longer_fits_is_named(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    relu = next(node for node in edited.base_graph("0/0:joint", ()).nodes if "relu" in node.target)
    swap = ReplaceTarget("0/0:joint", relu.id, "call_function", "aten.tanh.default", relu.args)
    edited.recompile((swap,), "c2", _quiet)
    before = _results(edited)
    dynamo = next(node for node in edited.base_graph("0/0:dynamo", ()).nodes if "relu" in node.target)
    gone = BypassNode("0/0:dynamo", dynamo.id, dynamo.inputs()[0])
    with pytest.raises(EngineError, match=r"relu: call aten.tanh.default.* does not fit 0/0:joint"):
        edited.recompile((gone, swap), "c3", _quiet)
    assert edited.edits == (swap,)
    assert all(torch.equal(value, before[name]) for name, value in _results(edited).items())


def test_what_does_not_work_is_refused_at_every_stage_and_changes_nothing(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    before = _results(edited)
    for stage in _graphs(edited):
        graph = edited.base_graph(stage.id, ())
        product = next(
            node
            for node in graph.nodes
            if node.op == "call_function" and ("mm" in node.target or "linear" in node.target)
        )
        right = graph.node(product.inputs()[1]).value
        assert isinstance(right, TensorValue)
        shapes = {
            node.id: node.value.shape
            for node in graph.nodes
            if node.op == "placeholder" and isinstance(node.value, TensorValue) and len(node.value.shape) == 2
        }
        fits = {name: {*shape}.isdisjoint(right.shape) for name, shape in shapes.items()}
        wrong = next(
            (name for name in shapes if fits[name]),
            next((name for name in shapes if shapes[name][0] != right.shape[0]), ""),
        )
        edit = SetArgument(stage.id, product.id, ("args", "1"), NodeArgument(wrong))
        _, problems = edited.preview((edit,))
        assert problems, stage.id
        assert problems[0].place is not None
        with pytest.raises(EngineError):
            edited.recompile((edit,), "c2", _quiet)
        assert edited.edits == ()
        assert all(torch.equal(value, before[name]) for name, value in _results(edited).items())
    nowhere = SetArgument("0/0:inference:aot", "mul", ("args", "1"), NodeArgument("x"))
    with pytest.raises(EngineError, match="no inference part"):
        edited.recompile((nowhere,), "c3", _quiet)


@pytest.mark.thorough
def test_a_result_that_the_backward_would_overwrite_stays(program: Maker) -> None:
    """Without the last operation what was saved is what is returned, and the backward may no longer write into it."""
    edited = program("lost_branch.py:Branch")
    for stage in _graphs(edited):
        if stage.part != "forward" or stage.graph is None:
            continue
        for node in stage.graph.nodes:
            same = [name for name in node.inputs() if stage.graph.node(name).value == node.value]
            if node.op == "call_function" and same:
                edits = (BypassNode(stage.id, node.id, same[0]),)
                edited.recompile(edits, "c2", _quiet)
                _right(edited, edits)


def test_the_numbers_that_kernels_draw() -> None:
    def numbers(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.rand_like(x), torch.randn_like(x)

    torch.manual_seed(3)
    uniform, normal = torch.compile(numbers)(torch.ones(40, 33))
    torch.manual_seed(3)
    first, second = seeds(2)
    assert torch.equal(uniform, drawn((40, 33), first, "rand"))
    torch.testing.assert_close(normal, drawn((40, 33), second, "randn"))


@pytest.mark.thorough
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_inference_graphs(dynamic: bool) -> None:
    edited = EditedProgram(capture("mlp.py:MLP", training=False, dynamic=dynamic))
    kinds = [stage.kind for stage in _graphs(edited)]
    assert StageKind.JOINT_GRAPH not in kinds
    assert StageKind.AOT_GRAPH in kinds
    for stage in _graphs(edited):
        edits = (negation(edited, stage.id),)
        edited.recompile(edits, "c2", _quiet)
        _right(edited, edits)


@pytest.mark.thorough
def test_random_edits_of_every_graph(program: Maker) -> None:
    """One in each of seven; edits upon edits, of every example, are a sweep (test_edit_sweep.py)."""
    assert try_random_edits(program("mlp_dropout.py:MLP"), Random(1), rounds=1) >= 6


def try_random_edits(edited: EditedProgram, random: Random, rounds: int) -> int:
    """Some random edits in each graph, one upon another, each compiled, judged and at last undone; how many."""
    before = _results(edited)
    tried = 0
    for stage in _graphs(edited):
        edits: tuple[Edit, ...] = ()
        graph = edited.base_graph(stage.id, ())
        for _ in range(rounds):
            made = random_edit(random, stage, graph)
            if made is None:
                break
            edits = (*edits, made[1])
            shown, problems = edited.preview(edits)
            assert problems == (), (edits, problems)
            graph = dict(shown)[stage.id]
            found = edited.recompile(edits, "c2", _quiet)
            assert not consistent(found)[1], edits
            verdict = judge_edits(edited, edits, 0.0, _quiet)
            assert not any(map(_wrong, verdict.comparisons)), (edits, verdict.comparisons)
            tried += 1
        edited.recompile((), "c3", _quiet)
        assert all(torch.equal(value, before[name]) for name, value in _results(edited).items()), stage.id
    return tried


def _wrong(row: Comparison) -> bool:
    """Judged wrong by more than rounding: random edits may leave sums that cancel, and then float32 has few digits."""
    return row.agrees is False and max(item.max_relative for item in row.differences) > 1e-3
