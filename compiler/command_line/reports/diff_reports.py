"""The difference of two captures as text for the terminal: the whole first, then what it consists of."""

from collections import Counter
from collections.abc import Iterator

from compiler.analysis.diff.diff_summary import summary
from compiler.analysis.text_format.printer import statement
from compiler.command_line.reports.tables import table
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import GraphBreak
from compiler.model.diff.capture_diff import CaptureDiff, Figure, FunctionChange
from compiler.model.diff.kernel_diff import KernelRef, kernel_at, kernel_text_diff
from compiler.model.diff.stage_diff import StageChange
from compiler.model.ir.graph import Node
from compiler.model.ir.tensor_types import describe_bytes

_MOST_OPS = 12


def diff_report(
    before: Capture, after: Capture, diff: CaptureDiff, graphs: bool = False, kernels: bool = False
) -> str:
    """Everything that differs; node by node with `graphs`, and the texts of kernels with `kernels`."""
    blocks = [summary(diff), table(("", ">before", ">after"), map(_figure_row, diff.figures))]
    for title, lines in (
        ("Settings", list(diff.settings)),
        ("Graph breaks", list(_break_lines(diff))),
        ("Functions", [_function_line(row) for row in diff.functions]),
        ("Graphs", list(_graph_lines(before, after, diff, graphs))),
        ("Kernels", list(_kernel_lines(before, after, diff, kernels))),
        ("Recompiles", list(_recompile_lines(diff))),
        ("Problems", list(_problem_lines(diff))),
    ):
        if lines:
            blocks.append("\n".join([title, *[f"  {line}" if line else "" for line in lines]]))
    return "\n\n".join(blocks)


def kernel_texts(before: Capture, after: Capture, diff: CaptureDiff) -> dict[str, str]:
    """A unified diff for each kernel whose text is another one, by its name after."""
    return {
        change.after.kernel: kernel_text_diff(
            kernel_at(before, change.before), kernel_at(after, change.after)
        )
        for change in diff.kernels.changed
    }


def _figure_row(figure: Figure) -> tuple[str, str, str]:
    return figure.name, _number(figure.name, figure.before), _number(figure.name, figure.after)


def _number(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    if name == "seconds":
        return f"{value:.2f}"
    return describe_bytes(int(value)) if name == "saved bytes" else f"{int(value):,}"


def _break_lines(diff: CaptureDiff) -> Iterator[str]:
    for sign, word, items in (("−", "gone", diff.breaks.gone), ("+", "new", diff.breaks.new)):
        for item in items:
            yield f"{sign} {word}: {item.kind}{_where(item)}"
            if item.where is not None and item.where.text:
                yield f"    {item.where.text.strip()}"
    if diff.breaks.kept and not diff.breaks.same:
        yield f"  still there: {len(diff.breaks.kept)}"


def _where(item: GraphBreak) -> str:
    last = item.where
    if last is None:
        return ""
    return f"  # {last.short}"


def _function_line(row: FunctionChange) -> str:
    parts = [
        _pair(name, pair)
        for name, pair in (
            ("graph", row.graphs),
            ("op", row.ops),
            ("compile", row.compiles),
            ("guard", row.guards),
        )
        if name in ("graph", "op") or pair[0] != pair[1]
    ]
    ops = [*_counted_ops("−", row.ops_gone), *_counted_ops("+", row.ops_new)]
    shown = f"; {', '.join(ops[:_MOST_OPS])}{' …' if len(ops) > _MOST_OPS else ''}" if ops else ""
    return f"{row.name} ({row.path.rpartition('/')[2]}): {', '.join(parts)}{shown}"


def _pair(name: str, pair: tuple[int, int]) -> str:
    same = pair[0] == pair[1]
    return f"{counted(pair[1], name)} as before" if same else f"{pair[0]} → {counted(pair[1], name)}"


def _counted_ops(sign: str, ops: tuple[str, ...]) -> list[str]:
    return [f"{sign}{name}{f' ×{count}' if count > 1 else ''}" for name, count in Counter(ops).items()]


def _graph_lines(before: Capture, after: Capture, diff: CaptureDiff, nodes: bool) -> Iterator[str]:
    for change in diff.stages:
        if change.graph is None:
            continue
        renamed = f" (was {change.before})" if change.before != change.after else ""
        yield f"{change.after}{renamed}: {change.signs} nodes"
        if nodes:
            yield from (f"  {line}" for line in _node_lines(before, after, change))
    ids = {stage.id for capture in (before, after) for stage in capture.stages if stage.graph is not None}
    gone = [change.before for change in diff.stages if not change.after and change.before in ids]
    new = [change.after for change in diff.stages if not change.before and change.after in ids]
    for sign, word, names in (("−", "gone", gone), ("+", "new", new)):
        if names:
            yield f"{sign} {word}: {', '.join(names)}"


def _node_lines(before: Capture, after: Capture, change: StageChange) -> Iterator[str]:
    old, new, graph = _nodes(before, change.before), _nodes(after, change.after), change.graph
    if graph is None:
        return
    yield from (f"− {statement(old[name])}" for name in graph.removed)
    yield from (f"+ {statement(new[name])}" for name in graph.added)
    yield from (f"~ {item.after}: {'; '.join(item.what)}" for item in graph.changed)


def _nodes(capture: Capture, stage: str) -> dict[str, Node]:
    graph = capture.stage(stage).graph
    return graph.by_id() if graph is not None else {}


def _kernel_lines(before: Capture, after: Capture, diff: CaptureDiff, texts: bool) -> Iterator[str]:
    yield from (f"− {_kernel(before, ref)}" for ref in diff.kernels.gone)
    yield from (f"+ {_kernel(after, ref)}" for ref in diff.kernels.new)
    for change in diff.kernels.changed:
        old, new = kernel_at(before, change.before), kernel_at(after, change.after)
        text = kernel_text_diff(old, new).splitlines()[2:]
        plus, minus = (sum(line.startswith(sign) for line in text) for sign in "+-")
        renamed = f" (was {old.name})" if old.name != new.name else ""
        yield f"~ {_kernel(after, change.after)}{renamed}: +{plus} −{minus} lines"
        if texts:
            yield from (f"    {line}" for line in text)


def _kernel(capture: Capture, ref: KernelRef) -> str:
    return f"{kernel_at(capture, ref).name}  # {ref.stage}"


def _recompile_lines(diff: CaptureDiff) -> Iterator[str]:
    for sign, word, records in (("−", "gone", diff.recompiles_gone), ("+", "new", diff.recompiles_new)):
        for record in records:
            reasons = [reason for entry in record.entries for reason in entry.reasons] or [record.note]
            yield f"{sign} {word}: {record.name} {record.compile_id}: {reasons[0]}"


def _problem_lines(diff: CaptureDiff) -> Iterator[str]:
    yield from (f"− gone: {problem.what}" for problem in diff.problems_gone)
    yield from (f"+ new: {problem.message()}" for problem in diff.problems_new)
