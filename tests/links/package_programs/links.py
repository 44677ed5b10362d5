"""How far the links of a capture reach, and whether what they say holds by records that they were not made from."""

import dataclasses
import re
from collections import Counter

from compiler.engine.file_ownership import is_linked
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import KernelStage, SourceStage, StageKind, WrapperStage
from compiler.model.session_file.checks import consistent

LEVELS = {
    StageKind.DYNAMO_GRAPH: "dynamo",
    StageKind.AOT_GRAPH: "aot",
    StageKind.POST_GRAD_GRAPH: "post_grad",
    StageKind.BODY: "bodies",
    StageKind.KERNELS: "kernels",
}
_SOURCES = re.compile(r"# Topologically Sorted Source Nodes: \[(.*?)\]")


@dataclasses.dataclass
class Reached:
    """What was counted of one capture."""

    counts: dict[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    """Level → (how many reach the innermost line outside torch, of how many)."""
    unreached: list[str] = dataclasses.field(default_factory=list)
    faults: list[str] = dataclasses.field(default_factory=list)
    """Links that are not valid: to what is not there, or against another record of torch's."""
    checked: Counter[str] = dataclasses.field(default_factory=Counter)
    """How many were compared with another record."""

    def count(self, level: str, good: bool, what: str) -> None:
        right, all_of = self.counts.get(level, (0, 0))
        self.counts[level] = right + good, all_of + 1
        if not good:
            self.unreached.append(what)


def reach(capture: Capture) -> Reached:
    """Of every node and kernel: does it reach the innermost line outside torch (a kernel: any line of a library, and the line that
    calls the library, through whatever breaks)?
    """
    found, links = Reached(faults=list(consistent(capture)[1])), Provenance(capture.links)
    files = [stage.content.file for stage in capture.stages if isinstance(stage.content, SourceStage)]
    own = {file.path for file in files if file.standing is FileOwner.MINE}
    for stage in capture.stages:
        level = LEVELS.get(stage.kind)
        if level is None:
            continue
        if isinstance(stage.content, KernelStage):
            for kernel in stage.kernels:
                lines = _lines(links, stage.id, kernel.id)
                good = any(is_linked(path) for path, _ in lines)
                found.count(level, good, f"{stage.id}:{kernel.id}")
                found.count(
                    "own_line", any(path in own for path, _ in lines), f"{stage.id}:{kernel.id}, the call"
                )
            continue
        for node in stage.graph.nodes:
            if node.op not in ("placeholder", "output", "get_attr"):
                lines, inner = _lines(links, stage.id, node.id), _innermost(node)
                good = inner in lines if inner is not None else bool(lines)
                found.count(level, good, f"{stage.id}:{node.id} {node.target} {inner} {sorted(lines)[:2]}")
    _against_comments(capture, links, found)
    _against_stacks(capture, links, found)
    return found


def _lines(links: Provenance, stage: str, node: str) -> set[tuple[str, int | None]]:
    above = links.ancestors(place(stage, node))
    return {
        (name.removeprefix("source:"), line_of(line))
        for name, lines in above.items()
        if name.startswith("source:")
        for line in lines
    }


def _innermost(node: Node) -> tuple[str, int] | None:
    return next(((line.path, line.line) for line in reversed(node.stack) if is_linked(line.path)), None)


def _against_comments(capture: Capture, links: Provenance, found: Reached) -> None:
    """Inductor names above a call the nodes of Dynamo's graph that it computes, with those of what it realizes for it, by
    a record of its own (`from_node`, not our marks): is one of them linked?
    """
    wrappers = {
        stage.id: stage.content.code.text.splitlines()
        for stage in capture.stages
        if isinstance(stage.content, WrapperStage)
    }
    for stage in capture.stages:
        text = wrappers.get(stage.id.replace(":kernels", ":wrapper"))
        if not isinstance(stage.content, KernelStage) or text is None:
            continue
        dynamo = f"{stage.compile_id}:dynamo"
        known = {node.id for other in capture.stages if other.id == dynamo and other.graph is not None for node in other.graph.nodes}  # fmt: skip
        calls = {kernel.call_line for kernel in stage.kernels}
        for kernel in stage.kernels:
            written = _named_above(text, kernel.call_line, calls)
            named = written & known
            above = links.ancestors(place(stage.id, kernel.id))
            linked = above.get(dynamo, set())
            # a node that only the backward has is written with its own name
            everywhere = {node for nodes in above.values() for node in nodes}
            found.checked["kernels"] += bool(named)
            if named and not written & everywhere:
                found.faults.append(
                    f"{stage.id}:{kernel.id}: torch names {sorted(named)}, we {sorted(linked)}"
                )
            found.checked["of links"] += len(linked) if named else 0
            found.checked["named too"] += len(linked & named)


def _named_above(text: list[str], line: int | None, calls: set[int | None]) -> set[str]:
    """The source nodes in the comment between the call before and this call."""
    for number in range((line or 0) - 1, 0, -1):
        match = _SOURCES.search(text[number - 1])
        if match:
            return set(match[1].split(", "))
        if number in calls:
            break
    return set()


def _against_stacks(capture: Capture, links: Provenance, found: Reached) -> None:
    """A source line that a Dynamo node is linked to is one of its own stack or led to its frame, and is there."""
    callers = {frame.id: {(line.path, line.line) for line in frame.callers} for frame in capture.frames}
    length = {
        stage.content.file.path: stage.content.file.text.count("\n") + 1
        for stage in capture.stages
        if isinstance(stage.content, SourceStage)
    }
    for stage in capture.of_kind(StageKind.DYNAMO_GRAPH):
        for node in stage.graph.nodes:
            own = {(line.path, line.line) for line in node.stack}
            own |= callers.get(stage.compile_id, set()) if own else set()
            for path, line in _lines(links, stage.id, node.id):
                found.checked["lines"] += 1
                if (
                    own and (path, line) not in own and is_linked(path)
                ):  # torch leaves its own lines out of stacks
                    found.faults.append(f"{stage.id}:{node.id}: {path}:{line} is not in its stack")
                if line is None or not 1 <= line <= length.get(path, 0):
                    found.faults.append(f"{stage.id}:{node.id}: {path}:{line} is not there")
