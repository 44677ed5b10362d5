"""What the capture says about each line of a source file: which graphs hold it, where capturing stopped, how large
the variables are.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from app.translation.compiler_texts import translate
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import compile_order
from compiler.model.capture.frames import BreakCategory, GraphBreak, VariableSize
from compiler.model.graph_breaks.break_summary import describe, heading, with_loss
from compiler.model.ir.ids import Place, line_id, place
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import SourceStage, Stage

WHOLE_FUNCTIONS = (BreakCategory.SKIPPED_FRAME, BreakCategory.RECOMPILE_LIMIT)
_MOST_SIZES = 3
"""Of one variable on one line, in different compiles."""


@dataclass
class Annotations:
    """Facts about one file, by line."""

    graphs: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Compile ids of the graphs that hold something of the line."""
    eager: frozenset[int] = frozenset()
    """Lines that ran eagerly: of functions Dynamo gave up, and of breaks."""
    untraced: frozenset[int] = frozenset()
    """Other lines of compiled functions that Dynamo never traced: not reached, or left to eager by a break."""
    breaks: dict[int, list[GraphBreak]] = field(default_factory=lambda: defaultdict(list))
    """Breaks on the very line; one that stopped a whole function stands where the function begins."""
    inside: dict[int, list[GraphBreak]] = field(default_factory=lambda: defaultdict(list))
    """Breaks somewhere inside what the line calls."""
    sizes: dict[int, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """Variable → its sizes, in the order of the compiles."""

    @property
    def compile_ids(self) -> tuple[str, ...]:
        """All graphs met in this file, in order."""
        return tuple(sorted({name for names in self.graphs.values() for name in names}, key=compile_order))

    def describe(self, line: int) -> str:
        """One paragraph about a line, for a tooltip; empty where there is nothing to say."""
        parts = list(dict.fromkeys(break_text(item) for item in self.breaks.get(line, ())))
        parts += list(
            dict.fromkeys(
                tr("A break inside this call: {with_loss} ({where})").format(
                    with_loss=with_loss(item, translate), where=_where(item)
                )
                for item in self.inside.get(line, ())
            )
        )
        if line in self.sizes:
            parts.append(
                "\n".join(f"{name}: {tr(' or ').join(texts)}" for name, texts in self.sizes[line].items())
            )
        if names := self.graphs.get(line):
            parts.append(tr("Captured in graph ") + ", ".join(names))
        if line in self.eager:
            parts.append(tr("Ran eagerly."))
        if line in self.untraced:
            parts.append(
                tr("Not captured: Dynamo did not trace this line. It was not reached, or ran eagerly.")
            )
        return "\n\n".join(parts)

    def reason(self, line: int) -> str:
        """Why capturing stopped on a line, in a few words; empty where it did not."""
        items = self.breaks.get(line, ())
        causes = {item.caused_by for item in items}
        own = dict.fromkeys(
            describe(item, translate) if item.id in causes else with_loss(item, translate) for item in items
        )
        if own:
            return " · ".join(own)
        inner = dict.fromkeys(
            describe(item, translate) for item in self.inside.get(line, ()) if not item.caused_by
        )
        return tr("break inside: {names}").format(names=" · ".join(inner)) if inner else ""

    def size_text(self, line: int) -> str:
        """``hidden f32[32, 256]  w f32[8]`` for the variables of a line."""
        return "   ".join(
            f"{name} {tr(' or ').join(texts[:_MOST_SIZES])}{' …' if len(texts) > _MOST_SIZES else ''}"
            for name, texts in self.sizes.get(line, {}).items()
        )


def annotate(capture: Capture, file: SourceFile) -> Annotations:
    """Everything the capture knows about the file's lines."""
    graphs: dict[int, list[str]] = defaultdict(list)
    for line, compile_id in file.captured_lines:
        if compile_id not in graphs[line]:
            graphs[line].append(compile_id)
    captured = {line for line, names in graphs.items() if names}
    result = Annotations({line: tuple(sorted(names, key=compile_order)) for line, names in graphs.items()})
    _add_breaks(result, capture, file.path)
    untraced = frozenset(file.code_lines) - frozenset(file.traced_lines) - captured
    stopped = {line for line, items in result.breaks.items() if items}
    result.eager = frozenset(file.eager_lines) | (untraced & stopped)
    result.untraced = untraced - result.eager
    sizes: dict[int, dict[str, dict[str, None]]] = {}
    for item in capture.variables:
        if item.path == file.path:
            _add_size(sizes, item)
    result.sizes = {
        line: {name: tuple(texts) for name, texts in names.items()} for line, names in sizes.items()
    }
    return result


def _add_size(sizes: dict[int, dict[str, dict[str, None]]], item: VariableSize) -> None:
    sizes.setdefault(item.line, {}).setdefault(item.name, {})[item.text] = None


def _add_breaks(result: Annotations, capture: Capture, path: str) -> None:
    files = {file.path for _, file in source_stages(capture)}
    for item in capture.breaks:
        known = [index for index, location in enumerate(item.stack) if location.path in files]
        if not known:
            continue
        innermost = known[-1]
        if item.stack[innermost].path == path:
            result.breaks[item.stack[innermost].line].append(item)
        if item.sort not in WHOLE_FUNCTIONS:
            for line in {item.stack[index].line for index in known[:-1] if item.stack[index].path == path}:
                result.inside[line].append(item)


def break_text(item: GraphBreak) -> str:
    """A graph break in a few lines: kind, why, hints."""
    registry = f" [{item.registry_id}]" if item.registry_id else ""
    times = tr(", met %n time(s)", None, item.count) if item.count > 1 else ""
    lines = [
        f"{heading(item, translate)}{registry}: {item.kind}{times}",
        (item.explanation or item.reason).strip(),
    ]
    if item.rest_eager:
        lines.append(tr("The rest of the function runs eagerly."))
    elif item.skipped_frame:
        lines.append(tr("The whole function was given up and runs eagerly."))
    lines += [f"• {hint}" for hint in item.hints]
    return "\n".join(line for line in lines if line)


def _where(item: GraphBreak) -> str:
    return item.stack[-1].short


def break_place(stage: Stage, line: int, breaks: list[GraphBreak]) -> Place:
    """Where a break is selected: its bytecode instruction, or else its source line."""
    for item in breaks:
        if item.instruction is not None:
            return item.instruction
    return place(stage.id, line_id(line))


def source_stages(capture: Capture | None) -> list[tuple[Stage, SourceFile]]:
    """The source files of a capture with their stages."""
    stages = capture.stages if capture is not None else ()
    return [(stage, stage.content.file) for stage in stages if isinstance(stage.content, SourceStage)]


def first_shown(files: list[SourceFile]) -> int:
    """The file to begin with: the first of the user's own that something was captured of; else, as for a model that a package
    brings, the one with most captured lines. Its index; 0 where there are no files.
    """
    for index, file in enumerate(files):
        if file.standing is FileOwner.MINE and (file.captured_lines or file.code_lines):
            return index
    if any(file.standing is FileOwner.MINE for file in files):
        return 0
    return max(range(len(files)), key=lambda index: len(dict(files[index].captured_lines)), default=0)
