"""Which edits a stage's graph depends on: those of the stages that it was made from."""

from collections.abc import Iterable

from compiler.model.capture.front_ends import FX_CODE, FX_GRAPH
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.ir.ids import StageId

SHARED_STAGES = ("dynamo", "pre_grad", "joint")
"""Graphs that both halves come from, in the order the pipeline makes them."""
BEFORE_AUTOGRAD = SHARED_STAGES[:2]
INDUCTOR_STAGES = ("aot", "post_grad", "loops", "kernels", "wrapper")
"""What is made of a forward, a backward or an inference graph, in order."""
ORDER = (*SHARED_STAGES, *INDUCTOR_STAGES)
WRAPPERS = "runtime_wrappers"
"""What AOTAutograd generates around the halves: it follows from the graphs that both come from."""
WITH_BODIES = ("dynamo", "joint", "aot", "post_grad", "loops", "fused")
"""Graphs whose higher-order operators call bodies that are stages."""


def parts_of(stage: StageId) -> tuple[str, str, str]:
    """(compile id, ``forward``, ``backward``, ``inference`` or "", what) of a stage of a Dynamo graph; a body is of the graph
    that calls it.
    """
    compile_id, _, rest = holder_of(stage).partition(":")
    part, _, what = rest.rpartition(":")
    return compile_id, part, what


def is_before_autograd(stage: StageId) -> bool:
    """Whether a stage is made before AOTAutograd traces: Dynamo's graph, and what the pre-grad passes leave of it."""
    return parts_of(stage)[2] in BEFORE_AUTOGRAD


def holder_of(stage: StageId) -> StageId:
    """The graph whose higher-order operator calls a body, ``0/0:dynamo`` of ``0/0:dynamo:cond_true_0``; else the stage itself."""
    names = stage.split(":")
    end = next((index for index, name in enumerate(names[1:], 2) if name in WITH_BODIES), len(names))
    return ":".join(names[:end])


def body_of(stage: StageId) -> str:
    """The name of a body, with dots where it is inside of another; empty for other stages."""
    return stage[len(holder_of(stage)) + 1 :]


def concerns(edited: Iterable[StageId], stage: StageId) -> bool:
    """Whether edits of these stages are made on the graph of a stage: its own, or those of the bodies that it calls."""
    return any(holder_of(other) == stage for other in edited)


def depends_on(stage: StageId, other: StageId) -> bool:
    """Whether an edit of the other stage changes what this stage is made from."""
    if {stage, other} == {FX_GRAPH, FX_CODE}:
        return True  # the code is made of the graph, and the graph of a code that was changed
    name, part, what = parts_of(stage)
    other_name, other_part, other_what = parts_of(other)
    if what == WRAPPERS:
        return name == other_name and other_what in SHARED_STAGES
    if name != other_name or what not in ORDER or other_what not in ORDER:
        return False
    return ORDER.index(other_what) < ORDER.index(what) and other_part in ("", part)


def edits_before(edits: tuple[Edit, ...], stage: StageId) -> tuple[Edit, ...]:
    """Those of the edits that change what a stage is made from, in order."""
    return tuple(edit for edit in edits if any(depends_on(stage, other) for other in stages_of(edit)))


def shared_stage_edits(edits: tuple[Edit, ...], compile_id: str) -> tuple[Edit, ...]:
    """Those that both halves of a Dynamo graph come from."""
    return tuple(edit for edit in edits if any(_is_shared(stage, compile_id) for stage in stages_of(edit)))


def _is_shared(stage: StageId, compile_id: str) -> bool:
    name, _, what = parts_of(stage)
    return name == compile_id and what in SHARED_STAGES


def inductor_graph_edits(edits: tuple[Edit, ...], compile_id: str, part: str) -> tuple[Edit, ...]:
    """Those of one forward, backward or inference graph and what is made of it."""
    return tuple(
        edit for edit in edits if any(parts_of(stage)[:2] == (compile_id, part) for stage in stages_of(edit))
    )
