"""A capture out of one process's log. It is not run again: what a log names is only looked at."""

from collections.abc import Iterator

import msgspec

from compiler.analysis.torch_logs.log_bytecode import BytecodeReader
from compiler.analysis.torch_logs.log_frames import frame_of, recompile_of, status_of, with_parents
from compiler.analysis.torch_logs.log_functions import Functions
from compiler.analysis.torch_logs.log_guards import guards_of
from compiler.analysis.torch_logs.log_links import kernel_lines, links_of
from compiler.analysis.torch_logs.log_sources import SourceLines
from compiler.analysis.torch_logs.log_stages import CompileStages, StageMaker
from compiler.analysis.torch_logs.records.cache_answers import read_object
from compiler.analysis.torch_logs.records.interned_strings import text_of
from compiler.analysis.torch_logs.records.phase_stack import seconds_of
from compiler.analysis.torch_logs.records.process_log import CompileLog, Entry, ProcessLog
from compiler.analysis.torch_logs.stage_texts import GraphReader, sorted_texts
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.capture.guards import GuardTree, RecompileRecord
from compiler.model.capture.log_facts import (
    LogArtifact,
    LogAttempt,
    LogFacts,
    LogStatus,
)
from compiler.model.capture.run_story import RunStory
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage, StageKind

MOST_NODES = 80_000
"""Of all graphs of one process; further graphs are kept as text."""
MOST_STAGES = 18_000
"""Of one process, source files aside; a session file has no more than 20,000."""
_MOST_GUARD_ROWS = 60_000
"""Of all trees; the guards of further compiles stay texts."""
RECORDED = "TORCH_TRACE"
"""Stands where the command of a recorded program stands: a log does not name it."""


class LogCapture:
    """One capture while it is put together."""

    def __init__(self, log: ProcessLog, path: str, rank: str = "") -> None:
        self._rank = rank
        self._log = log
        self._path = path
        self._graphs = GraphReader(MOST_NODES)
        self._functions = Functions()
        self._sources = SourceLines()
        self._bytecode = BytecodeReader()
        self._stages: list[Stage] = []
        self._links: list[LinkTable] = []
        self._frames: list[Frame] = []
        self._breaks: list[GraphBreak] = []
        self._guards: list[GuardTree] = []
        self._guard_rows = self._guards_left_out = self._cut_stages = 0
        self._recompiles: list[RecompileRecord] = []
        self._problems: list[Problem] = []
        self._artifacts: list[LogArtifact] = []
        self._statuses: list[LogStatus] = []

    def made(self) -> Capture:
        """The capture."""
        for compile_log in self._log.compiles.values():
            self._take(compile_log)
        sources = tuple(self._sources.stages())
        graphs = [stage for stage in self._stages if stage.kind in (StageKind.DYNAMO_GRAPH,)]
        self._links[:0] = self._sources.links(graphs)
        self._links[:0] = self._bytecode.links(frozenset(stage.id for stage in sources))
        phases = self._log.phases.done()
        return Capture(
            "log",
            CaptureSpec(TargetSpec(self._path.rpartition("/")[2], recorded=(RECORDED, self._path))),
            Environment(self._torch(), "", ""),
            (*sources, *self._stages),
            tuple(self._links),
            tuple(with_parents(self._frames, self._breaks)),
            tuple(self._breaks),
            (*self._reported(), *self._problems),
            seconds_of(phases),
            guards=tuple(self._guards),
            recompiles=tuple(self._recompiles),
            phases=phases,
            run=self._story(),
            log=self._facts(),
        )

    def _take(self, log: CompileLog) -> None:
        function = self._functions.of(log)
        maker = StageMaker(log.id, function.name, self._graphs, _parameters(log))
        shown = len(self._bytecode.stages)
        bytecode = self._bytecode.take(log, function.path, function.line)
        held = {id(entry) for entry, _ in self._bytecode.held}
        compiled = maker.make(sorted_texts(log, self._graphs, frozenset(held)))
        compiled.holders += self._bytecode.held
        self._bytecode.held.clear()
        maker.list_records(log)
        self._problems += [*compiled.problems, *_faults(log)]
        room = MOST_STAGES - len(self._stages)
        if len(compiled.stages) > room:  # a graph may hold any number of bodies
            self._cut_stages += len(compiled.stages) - room
            compiled.keep_first(room)
        self._note_lines(log, compiled)
        self._stages += (*self._bytecode.stages[shown:], *compiled.stages)
        self._links += links_of(compiled)
        for stage in compiled.stages:
            if stage.kind is StageKind.KERNELS:
                self._links += self._sources.kernel_links(stage.id, kernel_lines(stage, compiled))
        first = len(self._breaks) + 1
        breaks = tuple(
            msgspec.structs.replace(item, id=f"break-{number}")
            for number, item in enumerate(log.breaks, first)
        )
        self._breaks += breaks
        for item in breaks:
            self._sources.note_all(item.stack)
        frame = frame_of(log, function, compiled.stages, breaks, bytecode)
        if frame is not None:
            self._frames.append(frame)
        tree = guards_of(log) if self._guard_rows < _MOST_GUARD_ROWS else None
        self._guards_left_out += self._guard_rows >= _MOST_GUARD_ROWS
        if tree is not None:
            self._guard_rows += len(tree.nodes) + len(tree.symbols) + tree.count
            self._guards.append(tree)
        if (recompile := recompile_of(log, function.name)) is not None:
            self._recompiles.append(recompile)
        if log.metrics or log.stack:
            self._statuses.append(status_of(log))
        self._list(log, compiled)

    def _note_lines(self, log: CompileLog, compiled: CompileStages) -> None:
        self._sources.note_all(log.stack)
        for stage in compiled.stages:
            if stage.graph is not None:
                captured = stage.compile_id if stage.kind is StageKind.DYNAMO_GRAPH else ""
                for node in stage.graph.nodes:
                    for line in node.stack:
                        self._sources.note(line, captured)

    def _list(self, log: CompileLog, compiled: CompileStages) -> None:
        stages = {id(entry): stage for entry, stage in compiled.holders}
        for entry in log.entries:
            stage = stages.get(id(entry), "")
            self._artifacts.append(_artifact(log.torch_id, entry, stage))

    def _torch(self) -> str:
        for entry in self._log.compiles[""].entries if "" in self._log.compiles else ():
            if entry.name == "torch_version" and entry.text:
                return text_of(read_object(entry.text), "pytorch_version")
        return ""

    def _reported(self) -> Iterator[Problem]:
        broken = self._log.reader.broken
        if broken.count:
            detail = "\n".join(broken.named)
            some = "1 line or text" if broken.count == 1 else f"{counted(broken.count, 'line')} or texts"
            what = f"{some} of the log could not be read; all the rest is here."
            yield Problem(
                what, "Ask for the log again, packed.", self._path, severity=Severity.WARNING, detail=detail
            )
        if self._log.left_out:
            what = f"{self._log.left_out} texts of the log are listed without what is in them: all together are too long."
            yield Problem(what, "Read the log itself for them.", self._path, severity=Severity.NOTE)
        for count, what in (
            (self._guards_left_out, "compiles have no guards here: all of them are too many"),
            (self._log.breaks_left_out, "graph breaks are left out: there are too many"),
        ):
            if count:
                yield Problem(
                    f"{count} {what}.", "Read a log of fewer compiles.", self._path, severity=Severity.NOTE
                )
        if self._cut_stages:
            what = (
                f"Left out: {counted(self._cut_stages, 'stage')}; a session has no more than {MOST_STAGES:,}."
            )
            yield Problem(what, "Read a log of fewer compiles.", self._path, severity=Severity.WARNING)
        if self._graphs.refused:
            what = (
                f"Shown as text: {counted(self._graphs.refused, 'graph')}; all together have too many nodes."
            )
            yield Problem(what, "Read a log of fewer compiles.", self._path, severity=Severity.NOTE)
        if self._log.phases.left_out:
            what = f"{self._log.phases.left_out} inner phases are left out of the times: there are too many."
            yield Problem(what, "", self._path, severity=Severity.NOTE)

    def _story(self) -> RunStory:
        """The process as the Run pane shows it: when it compiled. How often what was compiled ran no log says."""
        log = self._log
        return RunStory(
            log.process,
            self._rank,
            command=(RECORDED, self._path),
            torch=self._torch(),
            seconds=log.last - log.first,
            ended="",
        )

    def _facts(self) -> LogFacts:
        log, broken = self._log, self._log.reader.broken
        kinds = (
            ("lines that are not torch's", broken.prefixes),
            ("lines that are no JSON", broken.envelopes),
            ("texts that are cut or changed", broken.payloads),
            ("too long", broken.too_long),
            ("end of the file lost", int(bool(broken.ended))),
        )
        return LogFacts(
            self._path,
            self._rank,
            log.process,
            log.reader.lines,
            log.reader.bytes,
            tuple(sorted(log.kinds.items())),
            log.other_rank,
            tuple(row for row in kinds if row[1]),
            tuple(self._artifacts),
            log.left_out,
            tuple(self._statuses),
            tuple(log.metrics),
            tuple(
                LogAttempt(name, attempt, tuple(sorted(kinds.items())))
                for (name, attempt), kinds in log.attempts.items()
            ),
            log.phases.events,
            tuple(log.lookups),
        )


def _artifact(compile_id: str, entry: Entry, stage: str) -> LogArtifact:
    return LogArtifact(
        compile_id,
        entry.attempt,
        entry.kind,
        entry.name,
        entry.line,
        entry.bytes,
        stage,
        entry.whole,
        entry.dropped,
    )


def _faults(log: CompileLog) -> Iterator[Problem]:
    """What torch found wrong with operators, in export mostly."""
    for kind, _, facts in log.small:
        operator = text_of(facts, "op")
        if kind == "missing_fake_kernel":
            what = f"{operator} has no fake kernel, so that nothing of it can be traced."
        elif kind == "mismatched_fake_kernel":
            what = f"The fake kernel of {operator} says otherwise than the operator does: {text_of(facts, 'reason')}"
        elif kind == "guard_on_data_dependent_error":
            what = f"Compile {log.id} depends on data that is not known: {text_of(facts, 'expr')}"
        else:
            continue
        yield Problem(what, "See the records of the compile in its log texts.", severity=Severity.WARNING)


def _parameters(log: CompileLog) -> frozenset[str]:
    """Names that Dynamo's inputs have in the graph, of those tensors that are parameters."""
    described = {
        (facts.get("describer_id"), facts.get("id"))
        for kind, _, facts in log.small
        if kind == "describe_tensor" and facts.get("is_parameter") is True
    }
    sources = (
        text_of(facts, "source")
        for kind, _, facts in log.small
        if kind == "describe_source" and (facts.get("describer_id"), facts.get("id")) in described
    )
    return frozenset(_graph_name(source) for source in sources)


def _graph_name(source: str) -> str:
    return (
        "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in source)
        .strip()
        .replace(" ", "_")
    )
