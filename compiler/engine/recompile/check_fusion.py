"""Whether Inductor did what was asked of it about fusions; it may refuse what would be wrong."""

from compiler.engine.errors import EngineError
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.model.edits.edits import Edit
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.ids import StageId
from compiler.model.ir.loop_ir import FusionChoice

_REMEDY = "Undo the choice; the version before it still runs."


def require_choices(inductor_graph: InductorGraphRecord, edits: tuple[Edit, ...], stage: StageId) -> None:
    """Every choice names nodes that there are, and was followed. Raises EngineError with Inductor's own reason."""
    known = (
        {node.id for node in inductor_graph.before_fusion.nodes}
        if inductor_graph.before_fusion is not None
        else set()
    )
    kernels = [
        set(node.children) or {node.id}
        for node in (inductor_graph.after_fusion.nodes if inductor_graph.after_fusion else ())
    ]
    named = {row.node for row in inductor_graph.knobs}
    named |= {node for choice in inductor_graph.choices for node in (choice.first, choice.second)}
    if missing := sorted(named - known):
        raise EngineError(does_not_fit(f"There is no {missing[0]} in {stage}.", edits, stage))
    for choice in inductor_graph.choices:
        pair = {choice.first, choice.second}
        together = any(pair <= kernel for kernel in kernels)
        if choice.fuse and not together:
            what = (
                f"Inductor cannot fuse {choice.first} and {choice.second}: {_reason(inductor_graph, choice)}."
            )
            raise EngineError(what, _REMEDY)
        if together and not choice.fuse:
            what = f"Inductor fused {choice.first} and {choice.second} all the same."
            raise EngineError(what, _REMEDY)


def _reason(inductor_graph: InductorGraphRecord, choice: FusionChoice) -> str:
    """The last thing Inductor said of the two, or of what they had become part of."""
    parts = {
        node.id: set(node.children) or {node.id}
        for node in (inductor_graph.after_fusion.nodes if inductor_graph.after_fusion else ())
    }
    for first, second, reason in reversed(inductor_graph.not_fused):
        left, right = parts.get(first, set(first.split("_"))), parts.get(second, set(second.split("_")))
        if (choice.first in left and choice.second in right) or (
            choice.second in left and choice.first in right
        ):
            return reason.rstrip(".")
    return "it never came to consider them, which it does only for nodes that share data and do not wait for one another"
