"""The partitioner's decisions in words."""

from app.translation.texts import tr, tr_noop
from compiler.model.ir.stage import TensorDecision

FATES = {
    "saved": tr_noop("saved"),
    "recomputed": tr_noop("recomputed"),
    "backward": tr_noop("backward only"),
    "forward": tr_noop("forward only"),
}
_CHOSEN = "chosen by hand"


def why(row: TensorDecision) -> str:
    """Torch's reason for a decision, or that it was the cheapest."""
    if row.must == _CHOSEN or row.barred == _CHOSEN:
        return tr("chosen by hand")
    if row.fate == "saved":
        return row.barred or row.must or tr("cheaper to keep than what follows from it")
    if row.fate == "forward":
        return tr("the backward does not need it")
    if row.base:
        return tr("a view of {base}: free to take again").format(base=row.base)
    if row.must:
        return row.must
    return tr("cheap to compute again from what is kept")


def flops_text(count: float) -> str:
    """``1.2 MFLOP``."""
    for size, unit in ((1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP"), (1e3, "kFLOP")):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} FLOP"
