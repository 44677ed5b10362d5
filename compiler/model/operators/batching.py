"""How vmap dealt with each operator of a run: by its batching rule, by taking it apart, or one example after another."""

import msgspec

from compiler.model.capture.counted import counted
from compiler.model.ir.graph import SourceLine
from compiler.model.operators.dispatching import CodePlace, DispatchCall

_KEY = "FuncTorchBatched"
_WORDS = {
    "backend fallback": "SLOW: one by one",
    "batched kernel": "taken apart",
    "math kernel": "taken apart",
}

Layer = tuple[str, int | None, int | None, tuple[int, ...]]
"""(vmap, grad or tensor; level; batch dimension; shape)."""


class BatchingRule(msgspec.Struct, frozen=True):
    """What took one call."""

    operator: str
    how: str
    place: CodePlace
    line: SourceLine | None
    level: int
    """How many batching rules the call is inside of."""


def batching_rules(calls: tuple[DispatchCall, ...]) -> tuple[BatchingRule, ...]:
    """The calls of a trace that vmap took, in order."""
    rows: list[BatchingRule] = []
    above: list[DispatchCall] = []
    for call in calls:
        del above[call.depth :]
        if call.key == _KEY:
            inside = sum(outer.key == _KEY for outer in above)
            decomposed = "Decomposition" in call.place.path
            how = "taken apart" if decomposed else _WORDS.get(call.kind, "batching rule")
            rows.append(BatchingRule(call.operator, how, call.place, call.line, inside))
        above.append(call)
    return tuple(rows)


def rules_text(
    rows: tuple[BatchingRule, ...], layers: list[Layer], agreement: float, warnings: tuple[str, ...]
) -> tuple[str, list[tuple[int, BatchingRule]]]:
    """(the text, which of its lines, from 1, reports which rule)."""
    lines = ["What the program's first input is inside vmap(f):"]
    for depth, (kind, level, dimension, shape) in enumerate(layers):
        if kind == "vmap":
            words = f"level {level} of vmap: looks like {list(shape)}, hides dimension {dimension} of"
        elif kind == "grad":
            words = f"level {level} of grad: {list(shape)}, around"
        else:
            words = f"a tensor of shape {list(shape)}"
        lines.append("  " * (depth + 1) + words)
    lines += ["", f"vmap(f) and a loop over the examples differ by at most {agreement:.3g}.", ""]
    slow = sum(row.how.startswith("SLOW") for row in rows)
    lines.append(
        f"{counted(len(rows), 'operator')} came to vmap; {slow} had no rule and ran one example after another."
    )
    lines += [f"  torch: {text}" for text in warnings]
    lines.append("")
    found: list[tuple[int, BatchingRule]] = []
    names = ["  " * (row.level + 1) + row.operator for row in rows]
    width = max(map(len, names), default=0) + 2
    ways = max((len(row.how) for row in rows), default=0) + 2
    for name, row in zip(names, rows, strict=True):
        lines.append(f"{name:<{width}}{row.how:<{ways}}{row.place}")
        found.append((len(lines), row))
    return "\n".join(lines) + "\n", found
