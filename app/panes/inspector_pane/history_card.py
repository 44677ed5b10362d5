"""The life of the selected node, event by event: which stage, which pass, and how we know."""

from collections.abc import Callable
from dataclasses import dataclass

from app.translation.compiler_texts import stage_title
from app.translation.texts import and_more, tr
from app.widgets.labels.link_label import RichText
from compiler.analysis.passes.events import HistoryEvent
from compiler.analysis.passes.link_walk import PROOFS
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, Place, line_of, place
from compiler.model.ir.stage import BytecodeStage, SourceStage, Stage, WrapperStage

_MOST_NAMED = 6
_FEW = 3
_SIGNS = {
    "torch": ("●", "good"),
    "python": ("●", "good"),
    "debug": ("●", "good"),
    "tag": ("◐", "good"),
    "name": ("○", "good"),
    "guess": ("?", "warning"),
}
"""Sign and style of each proof: full for what was recorded, half for what our mark proves, open for a name that stayed."""

Link = Callable[[str, Place, str, int | None], RichText]
"""Makes a text with a link to a place, at a position among the passes of its stage."""


@dataclass(frozen=True)
class Counterparts:
    """The nodes of one stage that an event is about."""

    stage: Stage
    location: Place

    def named(self) -> list[tuple[str, Place]]:
        """The first few with their own places, lines of one kernel together."""
        name = _namer(self.stage)
        groups: dict[NodeId, list[NodeId]] = {}
        for node in sorted(self.location.nodes, key=_natural):
            groups.setdefault(_kernel_of(node), []).append(node)
        return [
            (_with_lines(name(head), nodes), place(self.stage.id, *nodes))
            for head, nodes in list(groups.items())[:_MOST_NAMED]
        ]

    @property
    def unnamed(self) -> int:
        """How many more there are, a kernel counted once."""
        return max(0, len({_kernel_of(node) for node in self.location.nodes}) - _MOST_NAMED)


def write_history(text: RichText, capture: Capture, events: tuple[HistoryEvent, ...], link: Link) -> RichText:
    """The events under their stages, and what the signs before them mean."""
    stages = {stage.id: stage for stage in capture.stages}
    graphs = {stages[event.stage].compile_id for event in events if stages[event.stage].compile_id}
    current = ""
    for event in events:
        stage = stages[event.stage]
        if stage.id != current:
            current = stage.id
            graph = f" {stage.compile_id}" if len(graphs) > 1 and stage.compile_id else ""
            text.paragraph(
                RichText().append(link(stage_title(stage.title) + graph, place(stage.id), "dim", None))
            )
        text.paragraph(_row(stage, event, link))
    used = {event.proof for event in events if event.kind != "here"}
    meanings: dict[tuple[str, str], list[str]] = {}
    for proof, words in PROOFS.items():
        if proof in used:
            meanings.setdefault(_SIGNS[proof], []).append(words)
    text.line()
    for (sign, style), found in meanings.items():
        text.text(f"{sign} ", style).text(f"{tr(' or ').join(found)}   ", "dim")
    return text


def _row(stage: Stage, event: HistoryEvent, link: Link) -> RichText:
    row = RichText().text("  ")
    if event.kind == "here":
        row.text("▸ ", "bold")
    else:
        sign, style = _SIGNS.get(event.proof, _SIGNS["guess"])
        row.text(f"{sign} ", style)
    counterparts = Counterparts(stage, event.place)
    position = look_at(event)
    if event.kind != "survived" or len(event.nodes) <= _FEW:
        for index, (name, location) in enumerate(counterparts.named()):
            row.text(", " if index else "").append(link(name, location, "mono", position))
        row.text(f"{and_more(counterparts.unnamed)}  ", "dim")
    row.text(event.text, "bold" if event.kind == "here" else "dim")
    if event.proof in ("tag", "name", "guess"):
        row.text(f" · {PROOFS[event.proof]}", "warning" if event.proof == "guess" else "dim")
    return row


def look_at(event: HistoryEvent) -> int | None:
    """Where among the passes the nodes of an event can be seen: what a pass took out, just before it."""
    gone = event.kind in ("removed", "replaced", "merged") and event.position
    return event.position - 1 if gone and event.position is not None else event.position


def _namer(stage: Stage) -> Callable[[NodeId], str]:
    """How people would name the nodes of a stage: lines by number, instructions by what they do."""
    if isinstance(stage.content, BytecodeStage):
        instructions = {item.id: item for item in stage.content.code.instructions}

        def name_instruction(node: NodeId) -> str:
            item = instructions[node]
            return f"{item.place} {item.opname} {item.argument}".strip()

        return name_instruction
    if isinstance(stage.content, SourceStage | WrapperStage):
        return lambda node: tr("line {line_of}").format(line_of=line_of(node))
    return lambda node: node


def _kernel_of(node: NodeId) -> NodeId:
    """For ``"kernel:L3"`` the kernel; any other node is itself."""
    return node.rpartition(":")[0] or node


def _with_lines(name: str, nodes: list[NodeId]) -> str:
    """``kernel, lines 3–5, 9`` where lines of a kernel are meant."""
    lines = sorted(line for node in nodes if ":" in node and (line := line_of(node)) is not None)
    if not lines:
        return name
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    texts = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    return tr("{name}, line(s) {lines}", None, len(lines)).format(name=name, lines=", ".join(texts))


def _natural(node: NodeId) -> tuple[str, int]:
    """``buf10`` after ``buf9``."""
    head = node.rstrip("0123456789")
    tail = node[len(head) :]
    return head, int(tail) if tail else -1
