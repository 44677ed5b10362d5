"""Stages of one compile out of its texts, under the ids and titles that a live capture gives them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from compiler.analysis.torch_logs.printed.generated_code import CallNote, read_generated
from compiler.analysis.torch_logs.printed.printed_graphs import PrintedGraph
from compiler.analysis.torch_logs.records.interned_strings import text_of
from compiler.analysis.torch_logs.records.log_lines import Json
from compiler.analysis.torch_logs.records.process_log import RUNTIME_WRAPPERS, CompileLog, Entry
from compiler.analysis.torch_logs.stage_texts import GraphReader, StageTexts, Unit
from compiler.model.capture.counted import counted
from compiler.model.edits.stage_order import WRAPPERS
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import Place, StageId
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.stage import (
    RUNTIME_WRAPPERS_MADE_BY,
    Content,
    FxStage,
    JointStage,
    KernelStage,
    Partition,
    SavedTensor,
    Stage,
    StageKind,
    TextStage,
    WrapperStage,
)
from compiler.model.ir.tensor_types import byte_size

_LONGEST_RECORD = 4000
_MADE_BY = {
    StageKind.DYNAMO_GRAPH: "Dynamo, torch/_dynamo/output_graph.py: OutputGraph.call_user_compiler",
    StageKind.PRE_GRAD_GRAPH: "torch/_inductor/compile_fx.py: run_pre_grad_passes",
    StageKind.JOINT_GRAPH: "AOTAutograd, torch/_functorch/_aot_autograd/graph_compile.py",
    StageKind.AOT_GRAPH: "AOTAutograd, functionalized",
    StageKind.POST_GRAD_GRAPH: "torch/_inductor/compile_fx.py: _recursive_post_grad_passes",
    StageKind.KERNELS: "torch/_inductor/codegen, built and loaded",
    StageKind.WRAPPER: "torch/_inductor/codegen/wrapper.py: PythonWrapperCodegen",
    StageKind.RUNTIME_WRAPPERS: RUNTIME_WRAPPERS_MADE_BY,
}


@dataclass
class CompileStages:
    """The stages of one compile, and what is known of how they hang together."""

    stages: list[Stage] = field(default_factory=list)
    notes: dict[StageId, tuple[CallNote, ...]] = field(default_factory=dict)
    """By the stage of kernels: comments above their calls."""
    mappings: dict[StageId, Entry] = field(default_factory=dict)
    """By the post-grad graph: what torch noted of where its nodes come from and what kernels they are in."""
    stacks: dict[StageId, Entry] = field(default_factory=dict)
    """By the stage of kernels: lines of the user's that they were made of."""
    holders: list[tuple[Entry, StageId]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def keep_first(self, count: int) -> None:
        """Leave out the stages after so many."""
        before = {stage.id for stage in self.stages}
        del self.stages[max(count, 0) :]
        kept = {stage.id for stage in self.stages}
        gone = before - kept
        self.holders = [row for row in self.holders if row[1] not in gone]
        self.problems = [row for row in self.problems if row.place is None or row.place.stage in kept]


class StageMaker:
    """Makes the stages of compile after compile."""

    def __init__(
        self, compile_id: str, function: str, graphs: GraphReader, parameters: frozenset[str]
    ) -> None:
        self._id = compile_id
        self._function = function
        self._graphs = graphs
        self._parameters = parameters
        self.made = CompileStages()

    def make(self, texts: StageTexts) -> CompileStages:
        """All stages, in pipeline order."""
        before: tuple[StageId, ...] = ()
        name = f" of {self._function}" if self._function else ""
        shared = (
            (texts.dynamo, "dynamo", StageKind.DYNAMO_GRAPH, f"Dynamo graph{name}"),
            (texts.pre_grad, "pre_grad", StageKind.PRE_GRAD_GRAPH, "Graph after pre-grad passes"),
            (texts.joint, "joint", StageKind.JOINT_GRAPH, "Joint graph"),
        )
        halves = {unit.part: self._graphs.read(unit.aot) for unit in texts.units}
        for entry, what, kind, title in shared:
            if entry is not None:
                stage = self._graph_stage(entry, f"{self._id}:{what}", kind, title, "", before, halves)
                before = (stage,)
        for unit in texts.units:
            self._unit(unit, before, halves)
        self._runtime_wrappers(texts.runtime_wrappers)
        for number, entry in enumerate(texts.others):
            self._text(entry, number)
        return self.made

    def list_records(self, log: CompileLog) -> None:
        """Records without a text as lines of one: what has a pane of its own is here too, as torch wrote it."""
        if log.small:
            lines = [
                f"{kind}{f' (attempt {attempt})' if attempt else ''}: {_written(facts)}"
                for kind, attempt, facts in log.small
            ]
            content = TextStage("\n".join(lines), "plain")
            self._add(
                f"{self._id or 'log'}:log:records",
                StageKind.LOG_TEXT,
                "records without a text",
                content,
                "",
                (),
            )

    def _unit(self, unit: Unit, before: tuple[StageId, ...], halves: dict[str, PrintedGraph | None]) -> None:
        part, head = unit.part, f"{self._id}:{unit.part}"
        name = part.replace("_", " ").capitalize()
        if unit.aot is not None:
            title, kind = f"{name} graph", StageKind.AOT_GRAPH
            before = (self._graph_stage(unit.aot, f"{head}:aot", kind, title, part, before, halves),)
        if unit.post_grad is not None:
            title, kind = f"{name} graph after post-grad passes", StageKind.POST_GRAD_GRAPH
            post = self._graph_stage(unit.post_grad, f"{head}:post_grad", kind, title, part, before, halves)
            before = (post,)
            if unit.mappings is not None:
                self.made.mappings[post] = unit.mappings
        if unit.mappings is not None:
            self._text(unit.mappings, 0, f"{head}:mappings")
        if unit.stacks is not None:
            self.made.stacks[f"{head}:kernels"] = unit.stacks
            self._text(unit.stacks, 0, f"{head}:stacks")
        if unit.code is not None:
            self._code(unit.code, head, name, part, before)

    def _code(self, entry: Entry, head: str, name: str, part: str, before: tuple[StageId, ...]) -> None:
        if entry.text is None:
            return
        path = text_of(entry.facts, "file_path") or text_of(entry.facts, "filename")
        code = read_generated(entry.text, path)
        if code.kernels:
            kernels = KernelStage(KernelSet(code.kernels))
            self._add(f"{head}:kernels", StageKind.KERNELS, f"{name} kernels", kernels, part, before)
            self.made.notes[f"{head}:kernels"] = code.notes
            before = (f"{head}:kernels",)
        wrapper = WrapperStage(code.wrapper)
        self._add(f"{head}:wrapper", StageKind.WRAPPER, f"{name} wrapper", wrapper, part, before)
        self.made.holders.append((entry, f"{head}:wrapper"))

    def _runtime_wrappers(self, entries: list[Entry]) -> None:
        written = [
            text if entry.name == RUNTIME_WRAPPERS else f"# {entry.name}\n{text}"
            for entry in entries
            if (text := entry.text) is not None
        ]
        if not written:
            return
        stage = f"{self._id}:{WRAPPERS}"
        called = tuple(row.id for row in self.made.stages if row.kind is StageKind.WRAPPER)
        content = TextStage("\n\n".join(written), "python")
        self._add(stage, StageKind.RUNTIME_WRAPPERS, "Runtime wrappers", content, "", called)
        self.made.holders += [(entry, stage) for entry in entries if entry.text is not None]

    def _graph_stage(
        self,
        entry: Entry,
        stage: StageId,
        kind: StageKind,
        title: str,
        part: str,
        before: tuple[StageId, ...],
        halves: dict[str, PrintedGraph | None],
    ) -> StageId:
        found = self._graphs.read(entry)
        if found is None:
            if entry.text is not None:
                self._add(stage, kind, title, TextStage(entry.text, "python"), part, before)
                self.made.holders.append((entry, stage))
                self._add_warning(
                    f"{title} of {self._id} is shown as its text: there is no graph that can be read in it",
                    stage,
                )
            return stage
        graph = _with_roles(found.graph, kind, part, self._parameters)
        content: Content = FxStage(graph)
        if kind is StageKind.JOINT_GRAPH:
            content = _joint(graph, halves)
        self._add(stage, kind, title, content, part, before)
        self.made.holders.append((entry, stage))
        if kind is not StageKind.PRE_GRAD_GRAPH:
            for body, inner in found.bodies:
                self._add(
                    f"{stage}:{body}",
                    StageKind.BODY,
                    f"{title.split(' of ')[0]} of {body}",
                    FxStage(inner),
                    part,
                    (stage,),
                )
        if found.unread:
            count, first = len(found.unread), found.unread[0]
            self._add_warning(
                f"{counted(count, 'line')} of {title} of {self._id} could not be read; each is a node with its text ({first})",
                stage,
            )
        if not entry.whole:
            self._add_warning(
                f"{title} of {self._id} is not whole in the log: its text is not the one torch wrote", stage
            )
        return stage

    def _text(self, entry: Entry, number: int, stage: StageId = "") -> None:
        if entry.text is None:
            return
        stage = stage or f"{self._id or 'log'}:log:{number}"
        language = "python" if _is_code(entry) else "plain"
        title = entry.name if not entry.attempt else f"{entry.name} (attempt {entry.attempt})"
        content = TextStage(entry.text, language)
        self._add(stage, StageKind.LOG_TEXT, title[:120], content, "", ())
        self.made.holders.append((entry, stage))

    def _add(
        self,
        stage: StageId,
        kind: StageKind,
        title: str,
        content: Content,
        part: str,
        before: tuple[StageId, ...],
    ) -> None:
        made_by = _MADE_BY.get(kind, "torch, in its structured log")
        self.made.stages.append(Stage(stage, kind, title, content, self._id, part, made_by, before))

    def _add_warning(self, what: str, stage: StageId) -> None:
        self.made.problems.append(Problem(f"{what}.", severity=Severity.WARNING, place=Place(stage)))


def _written(facts: Json) -> str:
    """A record in a line; of stacks the places."""
    plain = {
        key: [f"{line.path}:{line.line} in {line.function}" for line in item]
        if isinstance(item, tuple)
        else item
        for key, item in facts.items()
    }
    return msgspec.json.encode(plain).decode()[:_LONGEST_RECORD]


def _is_code(entry: Entry) -> bool:
    start = (entry.text or "")[:200].lstrip()
    return entry.name == "fx_graph_runnable" or start.startswith(("class ", "def ", "import ", "from "))


def _with_roles(graph: Graph, kind: StageKind, part: str, parameters: frozenset[str]) -> Graph:
    return Graph(tuple(_with_role(node, kind, part, parameters) for node in graph.nodes))


def _with_role(node: Node, kind: StageKind, part: str, parameters: frozenset[str]) -> Node:
    if node.op != "placeholder":
        return node
    if node.id.startswith("tangents_") and kind is not StageKind.DYNAMO_GRAPH:
        role = "tangent"
    elif part.startswith("backward"):
        role = "saved"
    elif node.target in parameters:
        role = "parameter"
    else:
        role = node.role or "input"
    return msgspec.structs.replace(node, role=role) if role != node.role else node


def _joint(graph: Graph, halves: dict[str, PrintedGraph | None]) -> Content:
    """The joint graph with its two halves marked, and what the partitioner saved: both as the halves say it."""
    forward, backward = halves.get("forward"), halves.get("backward")
    if forward is None or backward is None:
        return JointStage(graph)
    first = {node.id for node in forward.graph.nodes}
    second = {node.id: node for node in backward.graph.nodes}
    late = {node.id for node in graph.nodes if node.id.startswith("tangents_")}
    nodes = []
    for node in graph.nodes:
        if node.op == "output":
            nodes.append(node)
            continue
        if not late.isdisjoint(node.inputs()) or (node.id in second and node.id not in first):
            late.add(node.id)
        nodes.append(msgspec.structs.replace(node, lane="backward" if node.id in late else "forward"))
    saved = tuple(_saved(second, first))
    again = tuple(
        name for name, node in second.items() if name in first and node.op not in ("placeholder", "output")
    )
    return JointStage(Graph(tuple(nodes)), Partition(saved, again))


def _saved(second: dict[str, Node], first: set[str]) -> Iterator[SavedTensor]:
    for name, node in second.items():
        if node.op == "placeholder" and name in first:
            yield SavedTensor(name, byte_size(node.value))
