"""What one rank made of one compile, respect by respect, as lines: what is judged is exactly what can be shown."""

import hashlib
import re
from collections.abc import Callable, Iterator

import msgspec

from compiler.analysis.torch_logs.rank_facts import SCHEDULE
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted, first_of
from compiler.model.capture.frames import Frame
from compiler.model.capture.guards import GuardTree
from compiler.model.ir.arguments import text_of
from compiler.model.ir.collectives import (
    Collective,
    called_collectives,
    collective_of,
    group_name_paths,
)
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import DYNAMO_GRAPHS, Stage, StageKind, TextStage, WrapperStage
from compiler.model.ir.tensor_types import TensorValue, TupleValue, Value, describe, describe_bytes

COMPILED, FUNCTION, CACHE, GRAPH, TENSORS, GUARDS, LOWERED, COLLECTIVES, KERNELS = RESPECTS = (
    "compiled",
    "function",
    "cache",
    "graph",
    "tensors",
    "guards",
    "lowered graphs",
    "collectives",
    "kernels",
)
"""In the order in which a compile comes to them, so that the first one that differs is where ranks went apart."""

_DEVICE = re.compile(
    r"\bcuda:\d+|\bxpu:\d+|(?<=device_index=)\d+|(?<=cuda\._DeviceGuard\()\d+|(?<=set_device\()\d+"
    r"|(?<=type='cuda', index=)\d+|(?<=type='xpu', index=)\d+"
)
_ADDRESS = re.compile(r"(?<![.\d])\d{9,}|0x[0-9a-f]+")
_LOWERED = (StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH)
_STRONGEST = ("miss", "hit", "bypass")


class Fact(msgspec.Struct, frozen=True, array_like=True):
    """One respect of one compile of one rank."""

    digest: str
    """The same where ranks did the same."""
    words: str
    """What it has, in short."""


class CompileParts(msgspec.Struct, frozen=True):
    """All that one rank has of one compile."""

    capture: Capture
    frame: Frame
    stages: tuple[Stage, ...]
    guards: GuardTree | None

    @property
    def dynamo(self) -> Graph | None:
        """Dynamo's graph."""
        return next((stage.graph for stage in self.stages if stage.kind in DYNAMO_GRAPHS), None)

    def graphs(self, *kinds: StageKind) -> Iterator[tuple[Stage, Graph]]:
        """Stages of these kinds with their graphs."""
        return ((stage, stage.graph) for stage in self.stages if stage.kind in kinds and stage.graph)

    @property
    def wrappers(self) -> tuple[str, ...]:
        """Texts of the generated wrappers."""
        return tuple(
            stage.content.code.text for stage in self.stages if isinstance(stage.content, WrapperStage)
        )


def compiles_of(capture: Capture) -> dict[str, CompileParts]:
    """By compile id, in the order in which they began."""
    guards = {tree.compile_id: tree for tree in capture.guards}
    stages: dict[str, list[Stage]] = {}
    for stage in capture.stages:
        stages.setdefault(stage.compile_id, []).append(stage)
    return {
        frame.id: CompileParts(capture, frame, tuple(stages.get(frame.id, ())), guards.get(frame.id))
        for frame in capture.frames
        if not frame.id.startswith("skipped")
    }


def facts_of(parts: CompileParts) -> dict[str, Fact]:
    """By respect; one that this rank does not report is left out, so that nothing is judged by it."""
    found = {}
    for respect in RESPECTS:
        lines = lines_of(parts, respect)
        if lines is not None:
            text = "\n".join(lines)
            digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
            found[respect] = Fact(digest, _WORDS[respect](parts, lines))
    return found


def lines_of(parts: CompileParts, respect: str) -> list[str] | None:
    """What is compared, line by line; None where the rank does not say. Device numbers, addresses and the names that a process
    gives its process groups are written as the same everywhere.
    """
    lines = _LINES[respect](parts)
    if lines is None:
        return None
    return [_ADDRESS.sub("#", _DEVICE.sub("device", line)) for line in lines]


def _compiled(parts: CompileParts) -> list[str]:
    why = parts.frame.error or parts.frame.skip_reason
    return [f"runs eagerly: {why.splitlines()[0]}"] if why else ["compiled"]


def _function(parts: CompileParts) -> list[str]:
    return [f"{parts.frame.name} {parts.frame.path}:{parts.frame.line}"]


def _cache(parts: CompileParts) -> list[str] | None:
    log = parts.capture.log
    rows = [row for row in log.lookups if row.compile_id == parts.frame.id] if log is not None else []
    return [f"{row.cache}: {row.outcome}" for row in rows] or None


def _graph(parts: CompileParts) -> list[str] | None:
    return _program(parts.dynamo, {}) if parts.dynamo is not None else None


def _lowered(parts: CompileParts) -> list[str] | None:
    groups: dict[str, str] = {}
    lines: list[str] = []
    for stage, graph in parts.graphs(*_LOWERED):
        lines += [f"{stage.title}:", *_program(graph, groups)]
    return lines or None


def _program(graph: Graph, groups: dict[str, str]) -> list[str]:
    return [_call(node, groups) for node in graph.nodes]


def _call(node: Node, groups: dict[str, str]) -> str:
    parts = [text_of(item) for item in node.args.items]
    parts += [f"{name}={text_of(item)}" for name, item in node.kwargs.items]
    for name in group_name_paths(node):
        reported = groups.setdefault(name, f"group {_letter(len(groups))}")
        parts = [part.replace(f"'{name}'", reported) for part in parts]
    return f"{node.id} = {node.op} {node.target}({', '.join(parts)})"


def _letter(index: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index] if index < 26 else str(index)


def _tensors(parts: CompileParts) -> list[str] | None:
    lines: list[str] = []
    for stage, graph in parts.graphs(*DYNAMO_GRAPHS, *_LOWERED):
        reported = [f"  {_value(node.value)}" for node in graph.nodes if node.value is not None]
        lines += [f"{stage.title}:", *reported] if reported else []
    return lines or None


def _value(value: Value) -> str:
    match value:
        case TensorValue():
            stride = f" strides ({', '.join(value.stride)})" if value.stride is not None else ""
            grad = " requires grad" if value.requires_grad else ""
            return f"{describe(value)}{stride} {value.device}{grad}"
        case TupleValue():
            return f"({', '.join(map(_value, value.items))})"
        case _:
            return describe(value)


def _guards(parts: CompileParts) -> list[str] | None:
    tree = parts.guards
    if tree is None:
        return None
    return sorted(code for node in tree.nodes for leaf in node.leaves for code in leaf.code)


def _collectives(parts: CompileParts) -> list[str] | None:
    """The calls in the order of the generated code, then what each sends, by the graph."""
    called = _called(parts)
    lines = [f"call {name}" for name in called or ()]
    groups: dict[str, str] = {}
    for stage, graph in parts.graphs(StageKind.POST_GRAD_GRAPH):
        for node in graph.nodes:
            sent = collective_of(graph, node)
            if sent is not None:
                group = groups.setdefault(sent.group, f"group {_letter(len(groups))}")
                ranks = f" of {sent.ranks}" if sent.ranks is not None else ""
                traffic = " → ".join(describe_bytes(size) for size in sent.traffic)
                kind = " ".join(filter(None, (sent.kind, sent.reduce)))
                lines.append(
                    f"{stage.part} {kind} {describe(node.value)}, {traffic}, {group}{ranks}".lstrip()
                )
    return lines if called is not None or lines else None


def _called(parts: CompileParts) -> list[str] | None:
    if parts.wrappers:
        return [name for text in parts.wrappers for name in called_collectives(text)]
    schedule = _artifact(parts, SCHEDULE)
    return [str(item) for item in schedule] if isinstance(schedule, list) else None


def _artifact(parts: CompileParts, name: str) -> object:
    log = parts.capture.log
    for row in log.artifacts if log is not None else ():
        if row.name == name and row.compile_id == parts.frame.id:
            stage = next((each for each in parts.capture.stages if each.id == row.stage), None)
            if stage is not None and isinstance(stage.content, TextStage):
                try:
                    return msgspec.json.decode(stage.content.text)
                except UNREADABLE:
                    return None
    return None


def _kernels(parts: CompileParts) -> list[str] | None:
    kernels = [kernel for stage in parts.stages for kernel in stage.kernels]
    if not kernels and not parts.wrappers:
        return None
    return [line for kernel in kernels for line in (f"{kernel.id}:", *kernel.source.splitlines())]


def _format_kernel(parts: CompileParts, _: list[str]) -> str:
    return counted(sum(len(stage.kernels) for stage in parts.stages), "kernel")


def _format_cache(_: CompileParts, lines: list[str]) -> str:
    answers = [line.rpartition(": ")[2] for line in lines]
    return next(
        (word for word in _STRONGEST if any(word in answer for answer in answers)), ", ".join(answers)
    )


def _format_collective(parts: CompileParts, lines: list[str]) -> str:
    names = [line.removeprefix("call ") for line in lines if line.startswith("call ")]
    sizes = sum(sent.sent or 0 for sent in _sends(parts))
    reported = first_of(names, 3)
    return f"{reported} ({describe_bytes(sizes)})" if reported and sizes else reported or "no collective"


def _sends(parts: CompileParts) -> Iterator[Collective]:
    for _, graph in parts.graphs(StageKind.POST_GRAD_GRAPH):
        yield from (sent for node in graph.nodes if (sent := collective_of(graph, node)) is not None)


def _format_nodes(parts: CompileParts, lines: list[str]) -> str:
    return counted(len(lines), "node")


def _format_lowered(parts: CompileParts, _: list[str]) -> str:
    return counted(sum(len(graph.nodes) for _, graph in parts.graphs(*_LOWERED)), "lowered node")


def _format_tensor(_: CompileParts, lines: list[str]) -> str:
    return counted(sum(line.startswith(" ") for line in lines), "value")


def _format_guard(_: CompileParts, lines: list[str]) -> str:
    return counted(len(lines), "guard")


def _format_function(parts: CompileParts, _: list[str]) -> str:
    return f"{parts.frame.name} ({parts.frame.path.rpartition('/')[2]}:{parts.frame.line})"


def _format_same(_: CompileParts, lines: list[str]) -> str:
    return lines[0]


_LINES: dict[str, Callable[[CompileParts], list[str] | None]] = {
    COMPILED: _compiled,
    FUNCTION: _function,
    CACHE: _cache,
    GRAPH: _graph,
    TENSORS: _tensors,
    GUARDS: _guards,
    LOWERED: _lowered,
    COLLECTIVES: _collectives,
    KERNELS: _kernels,
}
_WORDS: dict[str, Callable[[CompileParts, list[str]], str]] = {
    COMPILED: _format_same,
    FUNCTION: _format_function,
    CACHE: _format_cache,
    GRAPH: _format_nodes,
    TENSORS: _format_tensor,
    GUARDS: _format_guard,
    LOWERED: _format_lowered,
    COLLECTIVES: _format_collective,
    KERNELS: _format_kernel,
}
