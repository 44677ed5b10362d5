"""A capture diff as groups of rows: breaks, functions, graphs, kernels, recompiles, problems, settings."""

from collections import Counter

from app.session.captures.source_lines import short
from app.session.comparison.rows import MOST_ROWS, Difference, Group, graph_rows, kernel_rows
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import GraphBreak
from compiler.model.diff.capture_diff import CaptureDiff, Figure, FunctionChange
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, line_id, place
from compiler.model.ir.stage import SourceStage, StageKind
from compiler.model.ir.tensor_types import describe_bytes


def groups_of(before: Capture, after: Capture, diff: CaptureDiff) -> tuple[Group, ...]:
    """What changed, most wanted first, graphs made from Dynamo's last; kinds without a change are left out."""
    graphs = _graphs(before, after, diff)
    groups = (
        Group(_title(tr("Graph breaks"), len(diff.breaks.gone), len(diff.breaks.new)), _breaks(after, diff)),
        Group(
            tr("%n function(s) changed", None, len(diff.functions)),
            tuple(map(_function, diff.functions)),
        ),
        *(group for group in graphs if group.open),
        Group(_kernel_title(diff), kernel_rows(before, after, diff.kernels, old_is_shown=False)),
        Group(
            _title(tr("Recompiles"), len(diff.recompiles_gone), len(diff.recompiles_new)), _recompiles(diff)
        ),
        Group(
            tr("Source: %n line(s) changed", None, _line_count(diff)),
            _source(after, diff),
        ),
        Group(_title(tr("Problems"), len(diff.problems_gone), len(diff.problems_new)), _problems(diff)),
        Group(tr("Settings"), tuple(Difference(text, "", "") for text in diff.settings)),
        *(group for group in graphs if not group.open),
    )
    return tuple(group for group in groups if group.rows)


def figure_text(figure: Figure) -> str:
    """``kernels 5 → 3``; one number where nothing changed."""
    before, after = _number(figure, figure.before), _number(figure, figure.after)
    name = {"seconds": tr("capture"), "saved bytes": tr("saved for backward")}.get(figure.name, figure.name)
    return f"{name} {after}" if before == after else f"{name} {before} → {after}"


def _number(figure: Figure, value: float | None) -> str:
    if value is None:
        return tr("unknown")
    if figure.name == "seconds":
        return f"{value:.2f} s"
    return describe_bytes(int(value)) if figure.name == "saved bytes" else f"{int(value):,}"


def _title(title: str, gone: int, new: int) -> str:
    parts = [tr("{gone} gone").format(gone=gone)] * bool(gone) + [tr("{new} new").format(new=new)] * bool(new)
    return f"{title}: {', '.join(parts)}"


def _breaks(after: Capture, diff: CaptureDiff) -> tuple[Difference, ...]:
    rows = [
        Difference(f"− {item.kind}", _line_text(item), "", line=_line(item), tooltip=item.reason)
        for item in diff.breaks.gone
    ]
    for item in diff.breaks.new:
        line = _line(item)
        location = item.instruction or (after.place_of(line) if line is not None else NOWHERE)
        rows.append(Difference(f"+ {item.kind}", "", _line_text(item), location, line, tooltip=item.reason))
    return tuple(rows)


def _line(item: GraphBreak) -> SourceLine | None:
    return item.where


def _line_text(item: GraphBreak) -> str:
    line = _line(item)
    return f"{short(line)}  {line.text.strip()}" if line is not None else item.frame


def _function(row: FunctionChange) -> Difference:
    def side(index: int, sign: str, ops: tuple[str, ...]) -> str:
        named = [f"{sign}{name}{f' ×{count}' if count > 1 else ''}" for name, count in Counter(ops).items()]
        parts = [
            tr("%n graph(s)", None, row.graphs[index]),
            tr("%n op(s)", None, row.ops[index]),
            tr("%n guard(s)", None, row.guards[index]),
        ]
        return ", ".join(parts + named)

    return Difference(
        f"~ {row.name}", side(0, "−", row.ops_gone), side(1, "+", row.ops_new), tooltip=row.path
    )


def _graphs(before: Capture, after: Capture, diff: CaptureDiff) -> list[Group]:
    old = {stage.id: stage for stage in before.stages}
    new = {stage.id: stage for stage in after.stages}
    groups = []
    for change in diff.stages:
        if change.graph is not None:
            stage = new[change.after]
            rows = graph_rows(old[change.before], stage, change.graph, old_is_shown=False)
            groups.append(
                Group(
                    tr("{compile_id} {title}: {signs} nodes").format(
                        compile_id=stage.compile_id, title=stage_title(stage.title), signs=change.signs
                    ),
                    rows,
                    stage.kind is StageKind.DYNAMO_GRAPH,
                )
            )
    gone = [old[change.before] for change in diff.stages if not change.after]
    fresh = [new[change.after] for change in diff.stages if not change.before]
    rows = tuple(
        [
            Difference(
                f"− {stage.compile_id}",
                f"{stage_title(stage.title)}: {tr('%n node(s)', None, stage.node_count)}",
                "",
            )
            for stage in gone
            if stage.graph is not None
        ]
        + [
            Difference(
                f"+ {stage.compile_id}",
                "",
                f"{stage_title(stage.title)}: {tr('%n node(s)', None, stage.node_count)}",
                place(stage.id, *(node.id for node in stage.graph.nodes[:1])),
            )
            for stage in fresh
            if stage.graph is not None
        ]
    )
    return (
        [Group(tr("Graphs gone and new: {count}").format(count=len(rows)), rows, len(rows) < 5), *groups]
        if rows
        else groups
    )


def _kernel_title(diff: CaptureDiff) -> str:
    kernels = diff.kernels
    parts = [
        f"{len(rows)} {word}"
        for word, rows in (
            (tr("changed"), kernels.changed),
            (tr("gone"), kernels.gone),
            (tr("new"), kernels.new),
        )
        if rows
    ]
    return tr("Kernels: {names}").format(names=", ".join(parts))


def _recompiles(diff: CaptureDiff) -> tuple[Difference, ...]:
    rows = []
    for sign, records in (("−", diff.recompiles_gone), ("+", diff.recompiles_new)):
        for record in records:
            why = next((reason for entry in record.entries for reason in entry.reasons), record.note)
            sides = (why, "") if sign == "−" else ("", why)
            rows.append(Difference(f"{sign} {record.name} {record.compile_id}", *sides))
    return tuple(rows)


def _line_count(diff: CaptureDiff) -> int:
    return sum(len(change.new_lines) + len(change.gone_after) for change in diff.files)


def _source(after: Capture, diff: CaptureDiff) -> tuple[Difference, ...]:
    rows = []
    for change in diff.files:
        stage = next(
            stage
            for stage in after.stages
            if isinstance(stage.content, SourceStage) and stage.content.file.path == change.path
        )
        if not isinstance(stage.content, SourceStage):
            continue
        texts = stage.content.file.text.split("\n")
        name = change.path.rpartition("/")[2]
        for line in sorted({*change.new_lines, *(max(line, 1) for line in change.gone_after)}):
            fresh = line in change.new_lines
            text = texts[line - 1].strip() if fresh else tr("lines are gone behind this one")
            rows.append(
                Difference(
                    f"{'+' if fresh else '−'} {name}:{line}",
                    "" if fresh else text,
                    text if fresh else "",
                    place(stage.id, line_id(line)),
                    SourceLine(change.path, line),
                )
            )
    return tuple(rows[:MOST_ROWS])


def _problems(diff: CaptureDiff) -> tuple[Difference, ...]:
    return (
        *(
            Difference(tr("− problem"), problem.what, "", tooltip=problem.remedy)
            for problem in diff.problems_gone
        ),
        *(
            Difference(tr("+ problem"), "", problem.what, problem.place or NOWHERE, tooltip=problem.remedy)
            for problem in diff.problems_new
        ),
    )
