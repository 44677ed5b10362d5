"""Two stages put together: one diagram that says whose each box is, and two programs line by line."""

import msgspec

from compiler.analysis.diff.graph_matching import match_graphs
from compiler.analysis.diff.merged_diagram import merge
from compiler.analysis.diff.recorded_node_map import linked_pairs, pass_pairs
from compiler.analysis.diff.stage_matching import match_stages, origins_between
from compiler.analysis.diff.text_alignment import align_texts, changed_spans
from compiler.analysis.text_format.printer import program
from compiler.model.diagrams.diagrams import diagram
from compiler.model.edits.edits import BypassNode, EditGroup, InsertNode, ReplaceTarget, apply_edit
from compiler.model.ir.loop_ir import LoopProgram
from compiler.model.ir.stage import FxStage, LoopStage, Stage
from compiler.model.passes.pass_replay import replay_of
from tests.helpers.sample_capture import (
    DYNAMO,
    FUSED,
    JOINT,
    KERNELS,
    LOOPS,
    POST_GRAD,
    SOURCE,
    capture,
    node,
    with_passes,
)

replace = msgspec.structs.replace


def edited() -> tuple[Stage, Stage]:
    """relu → gelu, and a sin before the multiplication."""
    stage = capture().stage(DYNAMO)
    call = ReplaceTarget(DYNAMO, "z", "call_function", "torch.nn.functional.gelu", stage.graph.node("z").args)
    wedge = InsertNode(
        DYNAMO, node("new", "torch.sin", "z"), stage.graph.index("mul"), (("mul", ("args", "0")),)
    )
    graph, _ = apply_edit(stage.graph, EditGroup("both", (call, wedge)))
    return stage, replace(stage, content=FxStage(graph))


def test_one_diagram_holds_both() -> None:
    old, new = edited()
    match = match_stages(old, new)
    before, after = diagram(old), diagram(new)
    assert match is not None
    assert before is not None
    assert after is not None
    merged = merge(before, after, match)
    states = {item.id: item.state for item in merged.nodes}
    assert [item.id for item in merged.nodes] == [box.id for box in merged.diagram.nodes]
    assert states == {
        "l_x_": "kept",
        "l_w_": "kept",
        "y": "kept",
        "z": "changed",
        "new": "added",
        "mul": "moved",
        "output": "kept",
    }
    assert {box.title for box in merged.diagram.nodes} >= {"relu → gelu"}
    assert (merged.gone_edges, merged.new_edges) == ((("z", "mul"),), (("z", "new"), ("new", "mul")))


def test_what_is_gone_stands_where_it_stood() -> None:
    old, _ = edited()
    assert old.graph is not None
    graph, _ = apply_edit(old.graph, BypassNode(DYNAMO, "z", "y"))
    new = replace(old, content=FxStage(graph))
    before, after = diagram(old), diagram(new)
    assert before is not None
    assert after is not None
    merged = merge(before, after, match_graphs(old.graph, graph))
    assert [box.id for box in merged.diagram.nodes] == ["l_x_", "l_w_", "y", "z", "mul", "output"]
    gone = merged.nodes[3]
    assert (gone.state, gone.before, gone.after) == ("removed", "z", "")
    assert {("y", "z"), ("z", "mul")} == set(merged.gone_edges)


def test_lines_go_by_their_nodes() -> None:
    old, new = edited()
    before, after = program(old), program(new)
    rows = align_texts(before, after, match_stages(old, new))
    texts = before.text.split("\n"), after.text.split("\n")
    assert [row.before for row in rows if row.before] == list(range(1, len(texts[0]) + 1))
    assert [row.after for row in rows if row.after] == list(range(1, len(texts[1]) + 1))
    reported = [
        (
            row.state,
            texts[0][row.before - 1].strip()[:5] if row.before else "",
            texts[1][row.after - 1].strip()[:5],
        )
        for row in rows
        if row.state != "kept" and row.after and "=" in texts[1][row.after - 1]
    ]
    assert reported == [("changed", "z = t", "z = t"), ("added", "", "new ="), ("moved", "mul =", "mul =")]


def test_a_text_is_compared_line_by_line() -> None:
    stage = capture().stage(SOURCE)
    before = program(stage)
    after = msgspec.structs.replace(before, text=before.text.replace("torch.relu(y)", "torch.tanh(y)"))
    (row,) = [row for row in align_texts(before, after) if row.state != "kept"]
    assert (row.before, row.after, row.state) == (6, 6, "changed")
    left, right = before.text.split("\n")[5], after.text.split("\n")[5]
    ((a, b),), ((c, d),) = changed_spans(left, right, {})
    assert (left[a:b], right[c:d]) == ("relu", "tanh")


def test_another_name_for_the_same_node_is_not_marked() -> None:
    assert changed_spans("b = relu(a)", "b_1 = relu(a_1)", {"a": "a_1", "b": "b_1"}) == ((), ())
    assert changed_spans("relu = aten.relu(a)", "mul = aten.mul(a)", {"relu": "mul"}) == (
        ((12, 16),),
        ((11, 14),),
    )


def test_loops_and_kernels_are_matched_too() -> None:
    made = capture()
    loops, fused, kernels = made.stage(LOOPS), made.stage(FUSED), made.stage(KERNELS)
    for stage in (loops, kernels):
        match = match_stages(stage, stage)
        assert match.same
    match = match_stages(loops, fused)
    assert not match.same
    assert isinstance(loops.content, LoopStage)
    nodes = loops.content.program.nodes
    renumbered = tuple(
        replace(
            item,
            id=item.id.replace("op", "op9"),
            inputs=tuple(name.replace("op", "op9") for name in item.inputs),
            body=item.body.replace("buf", "buf9"),
        )
        for item in nodes
    )
    again = replace(loops, content=LoopStage(LoopProgram(renumbered)))
    match = match_stages(loops, again)
    assert match.same
    assert match_stages(made.stage(SOURCE), loops) is None


def test_origins_lead_from_one_compile_to_another() -> None:
    made = capture()
    dynamo = made.stage(DYNAMO)
    found = origins_between(dynamo, replace(dynamo, compile_id="0/1"))
    assert found["0/0:z"] == "0/1:z"
    assert origins_between(made.stage(SOURCE), dynamo) is None
    assert match_stages(made.stage(JOINT), made.stage(JOINT), origins=found) is not None


def test_stages_of_one_capture_are_paired_by_its_links() -> None:
    made = capture()
    down = linked_pairs(made, DYNAMO, JOINT)
    assert down["z"] == "relu"
    assert down["y"] == "mm"
    assert linked_pairs(made, JOINT, DYNAMO) == {after: before for before, after in down.items()}
    assert linked_pairs(made, DYNAMO, DYNAMO) == linked_pairs(made, DYNAMO, "nope") == {}
    match = match_stages(made.stage(DYNAMO), made.stage(JOINT), recorded=down)
    assert {(pair.before, pair.after) for pair in match.pairs} >= set(down.items())
    mirror = match_stages(
        made.stage(JOINT), made.stage(DYNAMO), recorded={after: before for before, after in down.items()}
    )
    assert (mirror.added, mirror.removed) == (match.removed, match.added)


def test_what_took_the_place_of_a_node_in_a_pass_is_its_successor() -> None:
    replay = replay_of(with_passes(), POST_GRAD)
    assert pass_pairs(replay, 2, 3) == {"clamp_min": "relu"}
    assert pass_pairs(replay, 3, 2) == {"relu": "clamp_min"}
    assert pass_pairs(replay, 0, 1) == {}
    assert pass_pairs(replay, 0, 3) == {"clamp_min": "relu"}, "alias became mm, which was there already"
    match = match_stages(
        replay.stage_at(2), replay.stage_at(3), same_names=True, recorded=pass_pairs(replay, 2, 3)
    )
    (pair,) = [pair for pair in match.pairs if pair.before != pair.after]
    assert (pair.before, pair.after, pair.kind) == ("clamp_min", "relu", "changed")
