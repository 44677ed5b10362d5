"""Whether torch's partitioner did what was asked of it; some things it cannot."""

import operator

import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.rng.random_ops import DRAWN_FROM_SEEDS, is_random
from compiler.model.ir.ids import StageId, place

_REMEDY = "Undo the choice; the version before it still runs."
_FROM_SEED = (*DRAWN_FROM_SEEDS, "prims.inductor_lookup_seed.default")


def require_repeatable(joint: torch.fx.Graph, saved: dict[str, bool], stage: StageId) -> None:
    """Nothing is to be computed again that would come out otherwise. Raises EngineError."""
    again = {name for name, wanted in saved.items() if not wanted}
    parents = {used.name for node in joint.nodes if node.name in again for used in _whole(node)}
    for node in joint.nodes:
        if node.name in again | parents and is_random(node) and str(node.target) not in _FROM_SEED:
            what = f"{node.name} draws random numbers; computed again, it would draw others."
            raise EngineError(what, "Save it, or leave it to torch.", place=place(stage, node.name))


def _whole(node: torch.fx.Node) -> list[torch.fx.Node]:
    """The operation of several results that a node takes one of."""
    return node.all_input_nodes if node.target is operator.getitem else []


def require_partition(
    record: DynamoGraphRecord, saved: dict[str, bool], refusals: dict[str, str], stage: StageId
) -> None:
    """Every tensor that was to be saved is, and every one that was to be computed again is. Raises EngineError."""
    partition = record.partition
    decided = {row.node: row for row in partition.decisions} if partition is not None else {}
    for name, wanted in saved.items():
        row = decided.get(name)
        if name in refusals:
            reason = refusals[name]
        elif row is None:
            reason = "it is not in the graph that was cut; torch merges equal operations, and an edit may have removed it"
        elif row.fate in (("saved",) if wanted else ("recomputed", "backward")):
            continue
        elif row.fate == "forward":
            reason = "the backward needs neither it nor anything computed from it that is not saved"
        else:
            reason = row.barred or row.must or "torch's partitioner decided otherwise"
        doing = "saved" if wanted else "computed again in the backward"
        raise EngineError(f"{name} cannot be {doing}: {reason}.", _REMEDY, place=place(stage, name))
