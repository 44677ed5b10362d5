"""Captures of ranks, each with one thing planted that the others have not."""

from pathlib import Path

import msgspec

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.capture.capture import Capture
from compiler.model.capture.guards import GuardLeaf, GuardNode, GuardTree
from compiler.model.capture.log_facts import CacheLookup, LogFacts
from compiler.model.capture.run_story import RunSample, RunStory
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Node
from compiler.model.ir.stage import KernelStage, WrapperStage
from compiler.model.ir.tensor_types import TensorValue
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_content, with_graph


def rank(**changed: object) -> Capture:
    """The sample with a guard that holds a device and an address of this rank's own."""
    guard = f"check(L['x'], device='cuda:{changed.pop('device', 0)}', id=__spec_{changed.pop('address', 140102240299872)}, 1.399953007698059)"
    code = (guard, *changed.pop("guards", ()))  # type: ignore[misc]
    tree = GuardTree("0/0", (GuardNode(-1, "L", leaves=(GuardLeaf("TENSOR_MATCH", code),)),))
    return msgspec.structs.replace(sample_capture.capture(), guards=(tree,), **changed)


def with_kernel(capture: Capture, text: str) -> Capture:
    def change(held: KernelStage) -> KernelStage:
        rows = tuple(msgspec.structs.replace(row, source=row.source + text) for row in held.kernels.kernels)
        return KernelStage(msgspec.structs.replace(held.kernels, kernels=rows))

    return with_content(capture, KernelStage, change)


def with_wrapper(capture: Capture, text: str) -> Capture:
    def change(held: WrapperStage) -> WrapperStage:
        return WrapperStage(msgspec.structs.replace(held.code, text=held.code.text + text))

    return with_content(capture, WrapperStage, change)


def with_shorter_graph(capture: Capture) -> Capture:
    return with_graph(capture, sample_capture.DYNAMO, lambda nodes: nodes[:-1])


def with_value(capture: Capture, stage_id: str, **changed: object) -> Capture:
    """The last node that has a tensor has another."""

    def change(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        at = max(index for index, node in enumerate(nodes) if isinstance(node.value, TensorValue))
        value = msgspec.structs.replace(nodes[at].value, **changed)  # type: ignore[type-var]
        return (*nodes[:at], msgspec.structs.replace(nodes[at], value=value), *nodes[at + 1 :])

    return with_graph(capture, stage_id, change)


def with_all_reduce(capture: Capture, group: str = "0", elements: int = 128, reduce: str = "sum") -> Capture:
    """An all-reduce of its first input at the end of the post-grad graph."""

    def change(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        value = TensorValue((str(elements),), "float32", bytes=4 * elements)
        sent = msgspec.structs.replace(nodes[0], value=value)
        arguments = SequenceArgument(
            "tuple",
            (
                NodeArgument(sent.id),
                ConstantArgument("str", repr(reduce)),
                ConstantArgument("str", repr(group)),
            ),
        )
        call = Node(
            "all_reduce", "call_function", "_c10d_functional.all_reduce_.default", arguments, value=value
        )
        return (sent, *nodes[1:-1], call, nodes[-1])

    return with_graph(capture, sample_capture.POST_GRAD, change)


def with_frame(capture: Capture, **changed: object) -> Capture:
    frames = tuple(msgspec.structs.replace(frame, **changed) for frame in capture.frames)
    return msgspec.structs.replace(capture, frames=frames)


def with_cache(capture: Capture, outcome: str) -> Capture:
    lookup = CacheLookup("0/0", "fx_graph_cache", outcome)
    return msgspec.structs.replace(capture, log=LogFacts("a.log", lookups=(lookup,)))


def with_steps(capture: Capture, milliseconds: float, apart: float = 0.0) -> Capture:
    """Ten counts of a hundred steps each."""
    samples, at = [], 10.0
    for index in range(11):
        samples.append(RunSample(at, 100 * index, 0))
        at += 100 * (milliseconds + apart * (index % 3)) / 1e3
    return msgspec.structs.replace(capture, run=RunStory(seconds=at, samples=tuple(samples)))


def as_rank(capture: Capture, name: str) -> Capture:
    """The capture as a recorded process of that rank."""
    return msgspec.structs.replace(capture, run=RunStory(rank=name))


def written(folder: Path, *captures: Capture) -> list[Path]:
    """A session file for each rank, as a run writes them beside each other."""
    paths = [
        folder / ("run.loupe" if not index else f"run.rank{index}.loupe") for index in range(len(captures))
    ]
    for index, (path, capture) in enumerate(zip(paths, captures, strict=True)):
        write_session(path, SessionData((as_rank(capture, str(index)),)))
    return paths
