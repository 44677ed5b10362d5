"""One stage of the page: its text by lines, its boxes and arrows, and numbers in place of node ids.

The page names nodes by number, so that a name, whatever it holds, is only ever shown and never looked up or run.
"""

import msgspec

from compiler.analysis.share.shown_names import ShownNames
from compiler.analysis.text_format.printer import program
from compiler.analysis.text_format.visible_text import visible
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.ids import NodeId, StageId, line_of
from compiler.model.ir.stage import KernelStage, LoweredStage, SourceStage, Stage


class Box(msgspec.Struct, frozen=True, array_like=True):
    """One node as it is drawn: its number, and words by their place in `Texts`."""

    node: int
    title: int
    name: int
    detail: int
    role: int
    lane: int


class Arrow(msgspec.Struct, frozen=True, array_like=True):
    """From one box to another, by their places among the boxes."""

    source: int
    target: int
    saved: bool


class StageTable(msgspec.Struct, frozen=True):
    """What the page knows of one stage."""

    kind: str
    title: str
    group: str
    """The compile it belongs to, ``0/0``; empty for source files."""
    part: str
    about: str
    """What made it, from what, how long that took."""
    language: str
    lines: tuple[int, ...]
    """By their place in `Texts`: what one stage says, the next often says again."""
    hidden: bool
    """The lines are there, their text is not."""
    owners: tuple[tuple[int, ...] | int, ...]
    """[line - 1]: nodes on that line, or the one that is."""
    wholes: tuple[tuple[int, int], ...]
    """(line of a kernel, the kernel): where a line is marked for itself, the whole kernel is not."""
    boxes: tuple[Box, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    count: int = 0
    unit: str = "lines"


class Numbers:
    """Numbers in place of texts (a stage's node ids; a page's texts), given out as they are met."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text, the same each time."""
        return self.of.setdefault(text, len(self.of))


def stage_table(
    stage: Stage, names: ShownNames, numbers: Numbers, texts: Numbers, titles: dict[StageId, str]
) -> StageTable:
    """The table of a stage; its nodes are numbered in `numbers` on the way, what it says in `texts`."""
    code = program(stage)
    lines = [""] * len(code.line_nodes) if names.hide else code.text.replace("\r\n", "\n").split("\n")
    boxes, arrows = _drawn(stage, names, numbers, texts)
    return StageTable(
        stage.kind.value,
        names.stage_title(stage),
        visible(stage.compile_id),
        visible(stage.part),
        _about(stage, names, titles),
        code.language,
        tuple(texts.number(visible(line)) for line in lines),
        names.hide,
        tuple(_owners(owners, numbers) for owners in code.line_nodes),
        _wholes(stage, numbers),
        boxes,
        arrows,
        stage.node_count,
        _unit(stage),
    )


def _owners(nodes: tuple[NodeId, ...], numbers: Numbers) -> tuple[int, ...] | int:
    found = tuple(map(numbers.number, nodes))
    return found[0] if len(found) == 1 else found


def _drawn(
    stage: Stage, names: ShownNames, numbers: Numbers, texts: Numbers
) -> tuple[tuple[Box, ...], tuple[Arrow, ...]]:
    shown = diagram(stage)
    if shown is None or isinstance(
        stage.content, KernelStage
    ):  # kernels are drawn as a mere chain: the text says more
        return (), ()
    places = {node.id: index for index, node in enumerate(shown.nodes)}
    boxes = tuple(
        Box(
            numbers.number(node.id),
            *map(texts.number, (*names.format_box(stage, node), node.role, node.lane)),
        )
        for node in shown.nodes
    )
    arrows = tuple(
        Arrow(places[edge.source], places[edge.target], edge.saved)
        for edge in shown.edges
        if edge.source in places and edge.target in places
    )
    return boxes, arrows


def _wholes(stage: Stage, numbers: Numbers) -> tuple[tuple[int, int], ...]:
    if not isinstance(stage.content, KernelStage | LoweredStage):
        return ()
    return tuple(
        (number, numbers.of[node.rpartition(":")[0]])
        for node, number in tuple(numbers.of.items())
        if line_of(node) is not None and node.rpartition(":")[0] in numbers.of
    )


def _about(stage: Stage, names: ShownNames, titles: dict[StageId, str]) -> str:
    parts = [f"{stage.node_count:,} {_unit(stage)}"]
    if stage.made_by and not names.hide:
        parts.append(f"made by {visible(stage.made_by)}")
    if stage.made_from:
        parts.append(
            "from "
            + ", ".join(titles.get(origin, names.own(origin, "another stage")) for origin in stage.made_from)
        )
    if stage.seconds is not None:
        parts.append(f"in {stage.seconds * 1e3:,.1f} ms, observers included")
    return " · ".join(parts)


def _unit(stage: Stage) -> str:
    match stage.content:
        case KernelStage():
            return "kernels"
        case SourceStage():
            return "lines"
    if stage.graph is not None or diagram(stage) is not None:
        return "nodes"
    return "instructions" if "bytecode" in stage.kind.value else "lines"
