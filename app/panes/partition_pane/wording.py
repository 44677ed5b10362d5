"""The partitioner's decisions in words."""

from compiler.model.ir.stage import TensorDecision

FATES = {
    "saved": "saved",
    "recomputed": "recomputed",
    "backward": "backward only",
    "forward": "forward only",
}
_CHOSEN = "chosen by hand"


def why(row: TensorDecision) -> str:
    """Torch's reason for a decision, or that it was the cheapest."""
    if row.must == _CHOSEN or row.barred == _CHOSEN:
        return _CHOSEN
    if row.fate == "saved":
        return row.barred or row.must or "cheaper to keep than what follows from it"
    if row.fate == "forward":
        return "the backward does not need it"
    if row.base:
        return f"a view of {row.base}: free to take again"
    if row.must:
        return row.must
    return "cheap to compute again from what is kept"


def flops_text(count: float) -> str:
    """``1.2 MFLOP``."""
    for size, unit in ((1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP"), (1e3, "kFLOP")):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} FLOP"
