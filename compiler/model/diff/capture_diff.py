"""What is different from one capture of a program to another: breaks, graphs, kernels, recompiles, guards, time."""

from collections import Counter

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import number_of
from compiler.model.capture.guards import RecompileRecord
from compiler.model.diff.break_diff import BreakDiff, compare_breaks
from compiler.model.diff.frame_matching import function_key, pair_frames
from compiler.model.diff.kernel_diff import KernelDiff, compare_kernels, kernels_of
from compiler.model.diff.node_diff import function_name
from compiler.model.diff.sequence_alignment import align
from compiler.model.diff.stage_diff import StageChange, compare_stages, pair_stages
from compiler.model.graph_breaks.ranked_breaks import break_count
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.ir.stage import JointStage, SourceStage, Stage, StageKind


class Figure(msgspec.Struct, frozen=True):
    """A number before and after; None where it is not known."""

    name: str
    """``breaks``, ``graphs``, ``ops``, ``kernels``, ``recompiles``, ``guards``, ``saved bytes`` or ``seconds``."""
    before: float | None
    after: float | None


class FunctionChange(msgspec.Struct, frozen=True):
    """One function of the user's in both captures, its resume functions included."""

    path: str
    name: str
    graphs: tuple[int, int]
    """(before, after)."""
    ops: tuple[int, int]
    """Calls in its Dynamo graphs."""
    compiles: tuple[int, int]
    guards: tuple[int, int]
    ops_gone: tuple[str, ...] = ()
    """What is called less often than before, once for each call: ``torch.relu``."""
    ops_new: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing of it differs."""
        pairs = (self.graphs, self.ops, self.compiles, self.guards)
        return all(a == b for a, b in pairs) and not (self.ops_gone or self.ops_new)


class FileChange(msgspec.Struct, frozen=True):
    """A source file whose text is another one. Lines count from 1."""

    path: str
    """As in the capture after."""
    new_lines: tuple[int, ...] = ()
    """Lines of the file after that the file before did not have."""
    gone_after: tuple[int, ...] = ()
    """Lines of the file after behind which lines are gone and none are new; 0: at its beginning."""


class CaptureDiff(msgspec.Struct, frozen=True):
    """From one capture to another. Time differs between any two captures and is no change."""

    before: CaptureId
    after: CaptureId
    breaks: BreakDiff = BreakDiff()
    functions: tuple[FunctionChange, ...] = ()
    """Functions that differ."""
    frames: tuple[tuple[str, str], ...] = ()
    """Compile ids (before, after) that belong together."""
    stages: tuple[StageChange, ...] = ()
    """Stages that differ; graphs node by node."""
    kernels: KernelDiff = KernelDiff()
    files: tuple[FileChange, ...] = ()
    recompiles_gone: tuple[RecompileRecord, ...] = ()
    recompiles_new: tuple[RecompileRecord, ...] = ()
    problems_gone: tuple[Problem, ...] = ()
    problems_new: tuple[Problem, ...] = ()
    settings: tuple[str, ...] = ()
    """What was asked for differently, and another torch: ``dynamic: None → True``."""
    figures: tuple[Figure, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing but time differs."""
        return (
            self.breaks.same
            and self.kernels.same
            and not any((self.functions, self.stages, self.files, self.settings))
            and not any((self.recompiles_gone, self.recompiles_new, self.problems_gone, self.problems_new))
        )

    def figure(self, name: str) -> Figure:
        """A figure by name. Raises KeyError."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise KeyError(name)

    def changed_stages(self) -> frozenset[StageId]:
        """Stages of the capture after that are new or say something else."""
        return frozenset(change.after for change in self.stages if change.after)


def compare_captures(before: Capture, after: Capture) -> CaptureDiff:
    """Everything that differs. Needs no torch; tens of milliseconds for graphs of thousands of nodes."""
    frames = pair_frames(before, after)
    stages = pair_stages(before, after, frames)
    recompiles_gone, recompiles_new = _recompiles(before, after, frames)
    return CaptureDiff(
        before.id,
        after.id,
        compare_breaks(before.breaks, after.breaks),
        _functions(before, after),
        tuple(frames.items()),
        compare_stages(before, after, stages),
        compare_kernels(
            before.of_kind(StageKind.KERNELS),
            after.of_kind(StageKind.KERNELS),
            lambda stage: stages.get(stage, ""),
        ),
        _files(before, after, stages),
        recompiles_gone,
        recompiles_new,
        tuple(_minus(before.problems, after.problems)),
        tuple(_minus(after.problems, before.problems)),
        _settings(before, after),
        tuple(map(Figure, FIGURES, figures_of(before).values(), figures_of(after).values())),
    )


FIGURES = ("breaks", "graphs", "ops", "kernels", "recompiles", "guards", "saved bytes", "seconds")


Figures = dict[str, float | None]
"""Of a capture, by the names of `FIGURES`."""


def figures_of(capture: Capture) -> Figures:
    """What there is of each of `FIGURES`; None where that is not known."""
    graphs = capture.graphs_that_run()
    found = (
        break_count(capture),
        len(graphs),
        sum(len(_calls(stage)) for stage in graphs),
        len(kernels_of(capture.stages)),
        len(capture.compiled_again()),
        sum(frame.guards for frame in capture.frames),
        saved_bytes(capture),
        capture.seconds,
    )
    return dict(zip(FIGURES, found, strict=True))


def saved_bytes(capture: Capture) -> int | None:
    """What all forwards keep for their backwards beside parameters and inputs; None where a size is symbolic."""
    sizes = [
        stage.content.kept_bytes
        for stage in capture.of_kind(StageKind.JOINT_GRAPH)
        if isinstance(stage.content, JointStage) and stage.content.partition is not None
    ]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _calls(stage: Stage) -> list[str]:
    return [node.target for node in stage.graph.nodes if node.op.startswith("call")] if stage.graph else []


class _Counted:
    """What is counted of one function in one capture."""

    def __init__(self) -> None:
        self.graphs = self.compiles = self.guards = 0
        self.path = ""
        self.calls: list[str] = []


def _counted(capture: Capture) -> dict[tuple[str, str], _Counted]:
    stages = {stage.compile_id: stage for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)}
    found: dict[tuple[str, str], _Counted] = {}
    for frame in capture.frames:
        row = found.setdefault(function_key(frame), _Counted())
        row.path = row.path or frame.path
        row.compiles += 1
        row.guards += frame.guards
        if frame.id in stages:
            row.graphs += 1
            row.calls += _calls(stages[frame.id])
    return found


def _functions(before: Capture, after: Capture) -> tuple[FunctionChange, ...]:
    """Without functions of other people's files that gave no graph: what an import runs, it runs only once."""
    mine = {
        stage.content.file.path
        for stage in (*before.of_kind(StageKind.SOURCE), *after.of_kind(StageKind.SOURCE))
        if isinstance(stage.content, SourceStage)
    }
    old, new = _counted(before), _counted(after)
    rows = []
    for key in dict.fromkeys((*old, *new)):
        a, b = old.get(key, _Counted()), new.get(key, _Counted())
        row = FunctionChange(
            b.path or a.path,
            key[1],
            (a.graphs, b.graphs),
            (len(a.calls), len(b.calls)),
            (a.compiles, b.compiles),
            (a.guards, b.guards),
            tuple((Counter(a.calls) - Counter(b.calls)).elements()),
            tuple((Counter(b.calls) - Counter(a.calls)).elements()),
        )
        if not row.same and (row.path in mine or any(row.graphs)):
            rows.append(row)
    return tuple(rows)


def _files(before: Capture, after: Capture, pairs: dict[StageId, StageId]) -> tuple[FileChange, ...]:
    texts = {
        stage.id: stage.content.file
        for capture in (before, after)
        for stage in capture.of_kind(StageKind.SOURCE)
        if isinstance(stage.content, SourceStage)
    }
    old_texts = {
        stage.id: stage.content.file.text.split("\n")
        for stage in before.of_kind(StageKind.SOURCE)
        if isinstance(stage.content, SourceStage)
    }
    changes = []
    for a, b in pairs.items():
        if a not in old_texts or b not in texts:
            continue
        old, new = old_texts[a], texts[b].text.split("\n")
        if old != new:
            changes.append(_file_change(texts[b].path, old, new))
    return tuple(changes)


def _file_change(path: str, old: list[str], new: list[str]) -> FileChange:
    kept = align((old,), (new,))
    taken = set(kept.values())
    fresh = tuple(line for line in range(1, len(new) + 1) if line - 1 not in taken)
    gone, last = [], 0
    for index in range(len(old)):
        if index in kept:
            last = kept[index] + 1
        elif last + 1 not in fresh and last not in gone:
            gone.append(last)
    return FileChange(path, fresh, tuple(gone))


def _recompiles(
    before: Capture, after: Capture, frames: dict[str, str]
) -> tuple[tuple[RecompileRecord, ...], tuple[RecompileRecord, ...]]:
    """By the function and why; the numbers of frames shift."""
    translated = Counter(_why(record, frames) for record in before.recompiles)
    gone, new = [], []
    for record in after.recompiles:
        key = _why(record, {})
        if translated[key] > 0:
            translated[key] -= 1
        else:
            new.append(record)
    for record in reversed(before.recompiles):
        key = _why(record, frames)
        if translated[key] > 0:
            translated[key] -= 1
            gone.append(record)
    return tuple(reversed(gone)), tuple(new)


def _why(record: RecompileRecord, frames: dict[str, str]) -> tuple[object, ...]:
    entries = tuple(
        (number_of(frames.get(entry.compile_id, entry.compile_id)), *entry.reasons)
        for entry in record.entries
    )
    return function_name(record.name), entries, record.note


def _minus(some: tuple[Problem, ...], others: tuple[Problem, ...]) -> list[Problem]:
    left = Counter((item.severity, item.what) for item in others)
    rest = []
    for item in some:
        if left[item.severity, item.what] > 0:
            left[item.severity, item.what] -= 1
        else:
            rest.append(item)
    return rest


def _settings(before: Capture, after: Capture) -> tuple[str, ...]:
    reported = []
    for old, new in (
        (before.spec.compile, after.spec.compile),
        (before.spec.run, after.spec.run),
        (before.spec.target, after.spec.target),
    ):
        for name in old.__struct_fields__:
            left, right = getattr(old, name), getattr(new, name, None)
            if left != right and not (
                name == "folder" or (name == "name" and _file_and_name(left) == _file_and_name(right))
            ):
                reported.append(f"{'target' if name == 'name' else name}: {left} → {right}")
    reported += [
        f"without {type(change).__name__}"
        for change in before.spec.changes
        if change not in after.spec.changes
    ]
    reported += [
        f"with {type(change).__name__}" for change in after.spec.changes if change not in before.spec.changes
    ]
    if before.environment.torch != after.environment.torch:
        reported.append(f"torch: {before.environment.torch} → {after.environment.torch}")
    return tuple(reported)


def _file_and_name(target: object) -> str:
    """The same program in another folder is the same program."""
    return str(target).rpartition("/")[2]
