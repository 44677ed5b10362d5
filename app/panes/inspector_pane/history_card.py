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

    def named(self) -> list[tuple[str, Place]]:
        """The first few with their own places, lines of one kernel together."""
        name = _namer(self.stage)
        groups: dict[NodeId, list[NodeId]] = {}
        for node in sorted(self.spot.nodes, key=_natural):
            groups.setdefault(_kernel_of(node), []).append(node)
        return [
            (_with_lines(name(head), nodes), place(self.stage.id, *nodes))
            for head, nodes in list(groups.items())[:_MOST_NAMED]
        ]

    @property
    def unnamed(self) -> int:
        """How many more there are, a kernel counted once."""
        return max(0, len({_kernel_of(node) for node in self.spot.nodes}) - _MOST_NAMED)


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
    return f"{name}, line{'s' if len(lines) > 1 else ''} {', '.join(texts)}"


def _natural(node: NodeId) -> tuple[str, int]:
    """``buf10`` after ``buf9``."""
    head = node.rstrip("0123456789")
    tail = node[len(head) :]
    return head, int(tail) if tail else -1
