"""Every way to edit a graph by hand, at every FX stage: what does not change the meaning gives the same results."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from compiler.analysis.edits.clipboard import copy_fragment, fragment_from_text, fragment_text, paste
from compiler.analysis.text_format.parser import parse_graph
from compiler.analysis.text_format.printer import program as printed
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.edits.edits import Edit, apply_graph_edit
from compiler.model.edits.edits_between import edits_between
from compiler.model.edits.node_edits import ReorderNodes
from compiler.model.edits.subgraphs import extract_submodule, inline, wrap_in_operator
from compiler.model.edits.validation import EditError
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import EDITABLE_GRAPHS, Stage
from compiler.model.ir.tensor_types import TensorValue
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine


def _quiet(text: str) -> None:
    return None


def _pure(graph: Graph) -> list[Node]:
    """Calls on floating tensors that somebody uses, none that draws random numbers or is a step of torch's own."""
    users = graph.users()
    return [
        node
        for node in graph.nodes
        if node.op.startswith("call")
        and isinstance(node.value, TensorValue)
        and node.value.dtype == "float32"
        and users[node.id]
        and not any(word in node.target for word in ("rand", "dropout", "getitem", "_."))
    ]


def harmless(random: Random, stage: Stage, graph: Graph) -> Iterator[tuple[str, Edit]]:
    """Edits of every kind that leave the meaning as it is, each of the graph that the ones before it leave."""
    pure = _pure(graph)
    if not pure:
        return
    one = random.choice(pure)
    fragment = fragment_from_text(fragment_text(copy_fragment(graph, (one.id,))))
    stands = {item.name: item.name for item in fragment.inputs}
    edit: Edit = paste(stage.id, graph, fragment, stands, {one.id: one.id} if _behind(graph, one) else {})
    graph, _ = apply_graph_edit(graph, edit)
    yield "paste", edit
    edit = ReorderNodes(stage.id, _order(random, graph))
    graph, _ = apply_graph_edit(graph, edit)
    yield "reorder", edit
    text = printed(stage_with(stage, graph)).text
    changed = _spelled_out(text, graph, random.choice(_pure(graph)).id, speaks_aten(graph))
    parsed = parse_graph(changed, graph)
    assert parsed.graph is not None, parsed.faults
    by_hand = edits_between(stage.id, graph, parsed.graph, "as text")
    assert by_hand is not None
    graph, _ = apply_graph_edit(graph, by_hand)
    yield "text", by_hand
    if not speaks_aten(graph):
        found = _part(random, stage.id, graph)
        if found is not None:
            extracted = extract_submodule(stage.id, graph, found, "block")
            graph, _ = apply_graph_edit(graph, extracted)
            yield "extract", extracted
    try:
        wrapped = wrap_in_operator(stage.id, graph, (random.choice(_pure(graph)).id,), "opaque")
    except EditError:
        return
    yield "wrap", wrapped


def stage_with(stage: Stage, graph: Graph) -> Stage:
    return msgspec.structs.replace(stage, content=msgspec.structs.replace(stage.content, graph=graph))


def _behind(graph: Graph, node: Node) -> bool:
    """Whether a copy right behind a node's inputs stands before every user of it."""
    return all(graph.index(user) > graph.index(node.id) for user in graph.users()[node.id])


def _order(random: Random, graph: Graph) -> tuple[str, ...]:
    """Another valid order of some neighbouring calls; of a joint graph forward stays before backward."""
    calls = [node for node in graph.nodes if node.op.startswith("call")]
    first = random.randrange(len(calls))
    span = calls[first : first + 6]
    lanes = {span[0].lane}
    left = [
        node
        for node in span
        if node.lane in lanes and "copy_" not in node.target and "rand" not in node.target
    ]
    places = {node.id for node in left}
    done: list[str] = []
    while left:
        ready = [node for node in left if not (set(node.inputs()) & places - set(done))]
        node = random.choice(ready)
        left.remove(node)
        done.append(node.id)
    return tuple(done)


def _spelled_out(text: str, graph: Graph, name: str, aten: bool) -> str:
    """A line changed by hand so that it says the same in more words."""
    line = next(line for line in text.split("\n") if line.startswith(f"    {name} = "))
    call = line.partition(" = ")[2].partition("  # ")[0]
    fresh = f"aten.neg.default(aten.neg.default({call}))" if aten else f"-(-{call})"
    return text.replace(line, f"    {name} = {fresh}", 1)


def _part(random: Random, stage: StageId, graph: Graph) -> tuple[str, ...] | None:
    calls = [node.id for node in graph.nodes if node.op.startswith("call") and not node.body]
    first = random.randrange(len(calls))
    part = tuple(calls[first : first + 3])
    try:
        edit = extract_submodule(stage, graph, part, "block")
        edited, _ = apply_graph_edit(graph, edit)
        inline(stage, edited, "block")
    except EditError:
        return None
    return part


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mlp.py:MLP", "conv_bn_relu.py:Net"])
def test_harmless_edits_of_every_kind_at_every_stage(name: str) -> None:
    program = EditedProgram(capture(name, training=True))
    random = Random(4)
    wanted = program.base.stepper.compared_step(program.base.compiled).tensors
    tried = 0
    for stage in [stage for stage in program.base.capture.stages if stage.kind in EDITABLE_GRAPHS]:
        edits: tuple[Edit, ...] = ()
        kinds = []
        for kind, edit in harmless(random, stage, program.base_graph(stage.id, ())):
            edits, kinds = (*edits, edit), [*kinds, kind]
        program.recompile(edits, f"capture-{stage.id}", _quiet)
        given = program.base.stepper.compared_step(program.base.compiled).tensors
        for key, tensor in wanted.items():
            off = float((tensor - given[key]).abs().max() / tensor.abs().max())
            assert off < 1e-3, (stage.id, kinds, key, off)
        tried += len(kinds)
        program.recompile((), "capture-back", _quiet)
    assert tried > 20
