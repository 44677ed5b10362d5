"""What the hooks shall do while a Dynamo graph is compiled again."""

import contextlib
from collections.abc import Iterator

from compiler.engine.graph_editing.stage_editor import editor
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, LiveProgram
from compiler.model.edits.edits import ChooseKnob, Edit, fusion_choices, partition_choices, single_edits
from compiler.model.edits.kernel_knobs import with_choices
from compiler.model.edits.partition_edits import choices_of
from compiler.model.ir.loop_ir import FusionChoice, KnobChoice


@contextlib.contextmanager
def directed(live: LiveProgram, dynamo_graph: LiveDynamoGraph, edits: tuple[Edit, ...]) -> Iterator[None]:
    """While this is entered, what is compiled of a Dynamo graph is edited, fused and partitioned as these edits say."""
    name = dynamo_graph.record.compile_id
    live.edit = editor(dynamo_graph, edits)
    live.choices = lambda part: chosen_fusions(name, part, edits)
    live.knobs = lambda part: chosen_knobs(name, part, edits)
    live.saved, live.budget = choices_of(partition_choices(edits, dynamo_graph_id(name, "joint")))
    live.refusals = {}
    try:
        yield
    finally:
        live.edit, live.choices = (lambda part, what, module: False), (lambda part: ())
        live.knobs = lambda part: ()
        live.saved, live.budget, live.exploring = {}, None, False


def chosen_fusions(name: str, part: str, edits: tuple[Edit, ...]) -> tuple[FusionChoice, ...]:
    """Fusions chosen by hand in one graph of a Dynamo graph."""
    return fusion_choices(edits, inductor_graph_id(name, part, "loops"))


def chosen_knobs(name: str, part: str, edits: tuple[Edit, ...]) -> tuple[KnobChoice, ...]:
    """Knobs of kernels turned by hand in one graph of a Dynamo graph."""
    stage = inductor_graph_id(name, part, "loops")
    own = (edit for edit in single_edits(edits) if isinstance(edit, ChooseKnob) and edit.stage == stage)
    return with_choices((), own)
