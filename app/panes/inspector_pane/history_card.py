"""What became of the selection: its counterparts in every stage, in the order of the pipeline."""

from collections.abc import Callable
from dataclasses import dataclass

from compiler.model.capture import Capture
from compiler.model.ids import NodeId, Place, StageId, line_of, place
from compiler.model.stage import BytecodeStage, SourceStage, Stage, WrapperStage

_MOST_NAMED = 6


@dataclass(frozen=True)
class Counterparts:
    """The nodes of one stage that the selection was made from or became."""

    stage: Stage
    spot: Place
    is_here: bool
    """The stage that the selection itself is in."""

    @property
    def title(self) -> str:
        """The stage with its part."""
        part = f" {self.stage.part}" if self.stage.part and self.stage.part not in self.stage.title else ""
        graph = f" {self.stage.compile_id}" if self.stage.compile_id else ""
        return f"{self.stage.title}{part}{graph}"

    def named(self) -> list[tuple[str, Place]]:
        """The first few nodes with their own places."""
        name = _namer(self.stage)
        nodes = sorted(self.spot.nodes, key=_natural)[:_MOST_NAMED]
        return [(name(node), place(self.stage.id, node)) for node in nodes]

    @property
    def unnamed(self) -> int:
        """How many more there are."""
        return max(0, len(self.spot.nodes) - _MOST_NAMED)


def history_of(capture: Capture, everywhere: dict[StageId, Place], here: StageId) -> list[Counterparts]:
    """The counterparts, stage by stage in pipeline order."""
    return [
        Counterparts(stage, everywhere[stage.id], stage.id == here)
        for stage in capture.stages
        if everywhere.get(stage.id)
    ]


def _namer(stage: Stage) -> Callable[[NodeId], str]:
    """How people would name the nodes of a stage: lines by number, instructions by what they do."""
    if isinstance(stage.content, BytecodeStage):
        instructions = {item.id: item for item in stage.content.code.instructions}

        def name_instruction(node: NodeId) -> str:
            item = instructions[node]
            return f"{item.offset} {item.opname} {item.argument}".rstrip()

        return name_instruction
    if isinstance(stage.content, SourceStage | WrapperStage):
        return lambda node: f"line {line_of(node)}"
    return lambda node: node


def _natural(node: NodeId) -> tuple[str, int]:
    """``buf10`` after ``buf9``."""
    head = node.rstrip("0123456789")
    tail = node[len(head) :]
    return head, int(tail) if tail else -1
