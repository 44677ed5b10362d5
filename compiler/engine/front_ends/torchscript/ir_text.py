"""TorchScript's texts: the IR with the node that each line is of, and the table of passes."""

import re
from typing import Any

from compiler.model.ir.ids import NodeId, line_id

_NAMES = re.compile(r"%([^\s:,()]+)\s*:")


def ir_text(graph: Any) -> tuple[str, tuple[tuple[NodeId, NodeId], ...]]:
    """The text of a graph, and pairs of (node, line) for what the lines before any subgraph name."""
    text = str(graph).rstrip("\n")
    return text, named_lines(text)


def named_lines(text: str) -> tuple[tuple[NodeId, NodeId], ...]:
    """Pairs of (node, line) for what the lines before any subgraph name."""
    pairs = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("with "):
            break
        names = _NAMES.findall(line.partition(" = ")[0])
        pairs += [(f"%{name}", line_id(number)) for name in names]
        if line.startswith("  return "):
            pairs.append(("return", line_id(number)))
    return tuple(pairs)


def pass_table(rows: list[tuple[str, str, int, int, dict[str, int], float]]) -> str:
    """Every pass with the nodes before and after it, what it added and took away, and its time."""
    lines = [
        "Nodes as torch counts them: constants and attributes are nodes too. Passes that changed the graph have a stage.",
        "",
        f"{'pass':<12}{'_jit_pass_…':<28}{'before':>7}{'after':>7}{'ms':>9}  changed",
    ]
    for title, name, before, after, changes, seconds in rows:
        changed = ", ".join(f"{kind} {count:+d}" for kind, count in changes.items()) or "–"
        lines.append(f"{title:<12}{name:<28}{before:>7}{after:>7}{seconds * 1e3:>9.2f}  {changed}")
    return "\n".join(lines)
