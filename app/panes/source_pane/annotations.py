"""What the capture says about each line of a source file: which graphs hold it, where capturing stopped."""

from collections import defaultdict
from dataclasses import dataclass, field

from compiler.model.capture import Capture
from compiler.model.frames import GraphBreak
from compiler.model.ids import Place, line_id, place
from compiler.model.programs import SourceFile
from compiler.model.stage import SourceStage, Stage


@dataclass
class Annotations:
    """Facts about one file, by line."""

    graphs: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Compile ids of the graphs that hold something of the line."""
    eager: frozenset[int] = frozenset()
    """Lines of frames Dynamo looked at, but never traced."""
    breaks: dict[int, list[GraphBreak]] = field(default_factory=lambda: defaultdict(list))

    @property
    def compile_ids(self) -> tuple[str, ...]:
        """All graphs met in this file, in order."""
        return tuple(sorted({name for names in self.graphs.values() for name in names}, key=_compile_order))

    def describe(self, line: int) -> str:
        """One paragraph about a line, for a tooltip; empty where there is nothing to say."""
        parts = [break_text(item) for item in self.breaks.get(line, ())]
        if names := self.graphs.get(line):
            parts.append("Captured in graph " + ", ".join(names))
        if line in self.eager:
            parts.append("Ran eagerly: Dynamo looked at this function but did not trace this line.")
        return "\n\n".join(parts)


def annotate(capture: Capture, file: SourceFile) -> Annotations:
    """Everything the capture knows about the file's lines."""
    graphs: dict[int, list[str]] = defaultdict(list)
    for line, compile_id in file.captured_lines:
        if compile_id not in graphs[line]:
            graphs[line].append(compile_id)
    captured = {line for line, names in graphs.items() if names}
    result = Annotations(
        {line: tuple(sorted(names, key=_compile_order)) for line, names in graphs.items()},
        frozenset(file.code_lines) - frozenset(file.traced_lines) - captured,
    )
    for item in capture.breaks:
        spots = [spot.line for spot in item.stack if spot.path == file.path]
        if spots:
            result.breaks[spots[-1]].append(item)
    return result


def break_text(item: GraphBreak) -> str:
    """A graph break in a few lines: kind, why, hints."""
    registry = f" [{item.registry_id}]" if item.registry_id else ""
    times = f", met {item.count} times" if item.count > 1 else ""
    lines = [f"Graph break{registry}: {item.kind}{times}", (item.explanation or item.reason).strip()]
    if item.skipped_frame:
        lines.append("The whole frame was given up and runs eagerly.")
    lines += [f"• {hint}" for hint in item.hints]
    return "\n".join(line for line in lines if line)


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


def _compile_order(compile_id: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdigit() else (1 << 30, part) for part in compile_id.split("/"))
