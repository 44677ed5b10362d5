"""Guards and recompiles as text for the terminal."""

from collections.abc import Iterator

from compiler.analysis.text_format.shortened import shortened
from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import of_same_frame
from compiler.model.capture.counted import counted
from compiler.model.capture.guards import (
    FailedGuard,
    GuardTree,
    RecompileRecord,
    compare_symbols,
    compare_trees,
    without_same_start,
)
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardTestResult
from compiler.model.guard_testing.later_steps import LaterSteps
from compiler.model.ir.graph import SourceLine

_LONGEST = 160


def guard_report(capture: Capture, trees: tuple[GuardTree, ...]) -> str:
    """Each tree with its values indented by how they are reached, then its symbols."""
    names = {frame.id: frame.name for frame in capture.frames}
    blocks = []
    for tree in trees:
        lines = [f"{tree.compile_id} {names.get(tree.compile_id, '')}: {counted(tree.count, 'guard')}"]
        lines += _tree_lines(tree)
        lines += _symbol_lines(tree)
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) or "No guards: nothing was compiled."


def _tree_lines(tree: GuardTree) -> Iterator[str]:
    depths: list[int] = []
    for node in tree.nodes:
        depths.append(0 if node.parent < 0 else depths[node.parent] + 1)
        indent = "  " * (depths[-1] + 1)
        yield f"{indent}{node.source}{f' ({node.type})' if node.type else ''}"
        for leaf in node.leaves:
            for part, code in enumerate(leaf.code):
                where = _where(tree.line_of(leaf, part))
                yield f"{indent}- {leaf.kind}: {shortened(code, _LONGEST)}{where}"


def _symbol_lines(tree: GuardTree) -> Iterator[str]:
    for symbol in tree.symbols:
        fixed = (
            f", fixed to {symbol.specialised}{_where(symbol.specialised_at)}" if symbol.specialised else ""
        )
        sources = ", ".join(symbol.sources)
        made = (
            f"{_where(symbol.created)} by {symbol.created_by}"
            if symbol.created_by
            else _where(symbol.created)
        )
        yield f"  symbol {symbol.name} = {symbol.hint} in {symbol.range} of {sources}{made}{fixed}"
    for guard in tree.shape_guards:
        yield f"  assumed {guard.expression}{_where(guard.line)}{f' by {guard.made_by}' if guard.made_by else ''}"


def _where(line: SourceLine | None) -> str:
    return f"  # {line.short} in {line.function}" if line is not None else ""


def inputs_report(inputs: FrameInputs) -> str:
    """What a frame is called with, a line each, as ``--try`` takes it."""
    lines = [f"{inputs.compile_id} {inputs.frame} is called with:"]
    for item in inputs.arguments:
        if item.kind == "tensor":
            shape = ",".join(map(str, item.shape))
            lines.append(
                f"  {item.name}.shape={shape}  {item.name}.dtype={item.dtype}"
                f"  {item.name}.requires_grad={item.requires_grad}"
            )
        else:
            lines.append(f"  {item.name}={item.text}")
    lines += [f"  {inputs.note}"] if inputs.note else []
    return "\n".join(lines)


def trial_report(result: GuardTestResult) -> str:
    """Which compiled code would run, and every guard that fails, of each entry in torch's order."""
    verdict = f"{result.hit} runs, nothing is compiled" if result.hit else f"{result.frame} is compiled again"
    lines = [f"{verdict}.", *([result.note] if result.note else [])]
    for entry in result.entries:
        lines.append(f"{entry.compile_id}: " + ("fits" if entry.hit else f"does not fit: {entry.first}"))
        lines += [line for item in entry.failed for line in _failed_lines(item)]
    return "\n".join(lines)


def _failed_lines(failed: FailedGuard) -> Iterator[str]:
    yield f"    {failed.reason}{_where(failed.line)}"
    yield from (f"      {fixed.why}{_where(fixed.line)}" for fixed in failed.fixed)


def recompile_report(capture: Capture, later: LaterSteps | None = None) -> str:
    """Every recompile with all that failed of all earlier code, and what differs from the compile before."""
    trees = {tree.compile_id: tree for tree in capture.guards}
    refused = capture.refused_compiles()
    blocks = [
        "\n".join(_record_lines(record, trees, record.compile_id in refused)) for record in capture.recompiles
    ]
    if not blocks:
        where = (
            "as far as it was recorded" if capture.spec.target.recorded else "in the step that was captured"
        )
        # what came before a failure proves nothing about the rest
        blocks = [
            f"No recompiles {where}" + ("." if capture.failures() else ": every frame was compiled once.")
        ]
    if later is not None:
        blocks += _later_blocks(later)
    return "\n\n".join(blocks)


def _later_blocks(later: LaterSteps) -> Iterator[str]:
    steps = counted(later.steps, "further step")
    if not later.recompiles:
        yield f"Nor in {steps} with the same arguments."
        return
    yield f"In {steps} with the same arguments:"
    for record in later.recompiles:
        yield "\n".join(_record_lines(record, {}))
    if later.limit_reached:
        yield "Torch then gave a function up: it was compiled too often, and runs eagerly from there on."


def _record_lines(
    record: RecompileRecord, trees: dict[str, GuardTree], refused: bool = False
) -> Iterator[str]:
    what = (
        "not compiled again, since the recompile limit is reached: it runs eagerly where"
        if refused
        else "compiled again, since"
    )
    yield f"{record.compile_id} {record.name}: {what} no earlier code fits"
    if record.note:
        yield f"  {record.note}"
    for entry in record.entries:
        yield f"  {entry.compile_id}:"
        for item in entry.failed:
            yield from _failed_lines(item)
        if entry.note or not entry.failed:
            yield f"    {entry.note}"
    yield from _difference(trees, record.compile_id)


def _difference(trees: dict[str, GuardTree], compile_id: str) -> Iterator[str]:
    earlier = of_same_frame(trees, compile_id)
    index = earlier.index(compile_id) if compile_id in earlier else 0
    before = earlier[index - 1] if index else ""
    if before not in trees or compile_id not in trees:
        return
    old, new = trees[before], trees[compile_id]
    changes = (*compare_trees(old, new), *compare_symbols(old, new))
    if changes:
        yield f"  guards of {before} → {compile_id}:"
    for change in changes:
        for sign, text in zip("-+", without_same_start(change.before, change.after), strict=True):
            if text:
                yield f"    {sign} {change.id}: {shortened(text, _LONGEST)}"
