"""Every version of one Dynamo graph that was compiled, and what a compile of further edits can start from."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.graph_editing.stage_editor import inner_of
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id, split
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, LiveInductorGraph
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.edits.stage_order import body_of, edits_before, inductor_graph_edits, shared_stage_edits
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage

Edits = tuple[Edit, ...]


@dataclasses.dataclass
class InductorGraphVersion:
    """What one Inductor graph ran after some edits of its own."""

    callable: Callable[..., Any]
    module: Any
    strides: tuple[tuple[int, ...] | None, ...]
    sources: dict[str, torch.fx.GraphModule]
    record: InductorGraphRecord


def graph_version(inductor_graph: LiveInductorGraph, record: InductorGraphRecord) -> InductorGraphVersion:
    """What it runs now."""
    return InductorGraphVersion(
        inductor_graph.output.current_callable,
        inductor_graph.module,
        inductor_graph.strides,
        dict(inductor_graph.sources),
        record,
    )


@dataclasses.dataclass
class SharedStages:
    """What a Dynamo graph ran after some edits of Dynamo's, the pre-grad and the joint graph."""

    edits: Edits
    function: Callable[..., Any] | None
    inductor_graphs: list[LiveInductorGraph]
    sources: dict[str, torch.fx.GraphModule]
    traced: Any
    record: DynamoGraphRecord
    compiled: dict[tuple[str, Edits], InductorGraphVersion] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Version:
    """Shared stages with one version of each of its Inductor graphs, as it is shown."""

    shared_stages: SharedStages
    record: DynamoGraphRecord
    stages: tuple[Stage, ...]
    links: tuple[LinkTable, ...]


class GraphVersions:
    """Shared stages by their own edits and, where other results of the forward made it necessary, those of the forward; whole
    versions by all edits.
    """

    def __init__(self, dynamo_graph: LiveDynamoGraph, failed: str = "") -> None:
        self.dynamo_graph = dynamo_graph
        self.failed = failed
        """Why torch did not compile the graph as captured, where it did not."""
        self.name = dynamo_graph.record.compile_id
        self.shared_stages: dict[tuple[Edits, Edits], SharedStages] = {}
        self.versions: dict[Edits, Version] = {}

    def source(self, stage: StageId, edits: Edits) -> tuple[torch.fx.GraphModule, Graph]:
        """The live graph of a stage without edits of its own, as the edits before it lead to it, and the same as data.
        Raises EngineError where those were never compiled.
        """
        _, part, what = split(stage)
        if what == "dynamo":
            module, record, body = self.dynamo_graph.dynamo_module, self.versions[()].record, body_of(stage)
            return (inner_of(module, stage, edits), record.bodies[body]) if body else (module, record.dynamo)
        known = (
            self._known_inductor_graphs(stage, part, edits)
            if part
            else self._known_shared_stages(stage, edits)
        )
        spare: tuple[torch.fx.GraphModule, Graph, Graph | None] | None = None
        for module, own, shown in known:
            if not own and shown is not None:
                return module, shown
            spare = spare or (module, read_graph(module.graph, joint_role), shown)
        if spare is not None:
            module, graph, shown = spare
            return module, dressed(graph, shown)
        raise self._unknown(stage, part, edits)

    def _known_shared_stages(
        self, stage: StageId, edits: Edits
    ) -> Iterator[tuple[torch.fx.GraphModule, bool, Graph | None]]:
        """(source, whether the version has edits of the stage itself, the graph it has there)."""
        what, wanted = split(stage)[2], edits_before(edits, stage)
        for shared_stages in self.shared_stages.values():
            if what in shared_stages.sources and edits_before(shared_stages.edits, stage) == wanted:
                own = any(stage in stages_of(edit) for edit in shared_stages.edits)
                module, record = shared_stages.sources[what], shared_stages.record
                if body := body_of(stage):
                    yield inner_of(module, stage, edits), own, record.joint_bodies.get(body)
                else:
                    yield module, own, getattr(record, what)

    def _known_inductor_graphs(
        self, stage: StageId, part: str, edits: Edits
    ) -> Iterator[tuple[torch.fx.GraphModule, bool, Graph | None]]:
        what, wanted = split(stage)[2], edits_before(inductor_graph_edits(edits, self.name, part), stage)
        for shared_stages in self.shared_stages_for(edits):
            for (other, own_edits), version in shared_stages.compiled.items():
                if other == part and what in version.sources and edits_before(own_edits, stage) == wanted:
                    own = any(stage in stages_of(edit) for edit in own_edits)
                    yield _inductor_source(version, stage, own, edits)

    def _unknown(self, stage: StageId, part: str, edits: Edits) -> EngineError:
        if split(stage)[2] not in ("pre_grad", "joint", "aot", "post_grad"):
            return EngineError(f"{stage} cannot be edited.", "Edit a graph, the loop IR or a kernel.")
        if (never := self.never_compiled(part)) is not None:
            return never
        shared_stages = next(iter(self.shared_stages_for(edits)), None)
        if shared_stages is None or any(
            inductor_graph.part == part for inductor_graph in shared_stages.inductor_graphs
        ):
            what = f"{stage} comes from a graph with edits that are not compiled yet."
            return EngineError(what, "Recompile first.")
        return EngineError(does_not_fit(f"There is no {stage} in this program.", edits, stage))

    def wrappers_with_other_texts(self) -> Iterator[tuple[Any, Any]]:
        """(wrapper of a version with edits of generated text, that of the same graph without them)."""
        for shared_stages in self.shared_stages.values():
            for (part, edits), version in shared_stages.compiled.items():
                before = shared_stages.compiled.get((part, of_graphs(edits)))
                if (
                    before is not None
                    and None not in (version.module, before.module)
                    and before is not version
                ):
                    yield version.module, before.module

    def never_compiled(self, part: str) -> EngineError | None:
        """What is said of a part that the capture shows up to where compiling it failed; None for any other."""
        begun = {inductor_graph.part for inductor_graph in self.dynamo_graph.record.inductor_graphs}
        captured = self.shared_stages.get(((), ()))
        if (
            captured is None
            or part not in begun
            or part in {graph.part for graph in captured.inductor_graphs}
        ):
            return None
        why = f": {self.failed}" if self.failed else "."
        return EngineError(
            f"The {part} graph of {self.name} cannot be edited, since it did not compile when it was captured{why}",
            f"Edit {dynamo_graph_id(self.name, 'dynamo')}, of which it is compiled anew, or correct the program and capture again.",
        )

    def shared_stages_for(self, edits: Edits) -> Iterator[SharedStages]:
        """Those that a version with these edits can stand on, the best first."""
        own = shared_stage_edits(edits, self.name)
        forward = of_graphs(inductor_graph_edits(edits, self.name, "forward"))
        keys = ((own, forward), (own, ())) if forward else ((own, ()),)
        yield from (self.shared_stages[key] for key in keys if key in self.shared_stages)

    def start(self, own: Edits) -> tuple[str, SharedStages]:
        """From which stage on shared stages with these edits can be compiled, and those whose stages before are kept."""
        for what in ("joint", "pre_grad"):
            stage = dynamo_graph_id(self.name, what)
            for shared_stages in self.shared_stages.values():
                known = what in shared_stages.sources and (
                    what != "joint" or shared_stages.traced is not None
                )
                if known and edits_before(shared_stages.edits, stage) == edits_before(own, stage):
                    return what, shared_stages
        return "dynamo", self.shared_stages[(), ()]

    def inductor_graph_start(
        self, shared_stages: SharedStages, part: str, wanted: Edits
    ) -> tuple[str, InductorGraphVersion]:
        """From which stage on an Inductor graph with these edits can be compiled, and the version that has its
        source. Raises EngineError.
        """
        for what in ("post_grad", "aot"):
            stage = inductor_graph_id(self.name, part, what)
            for (other, own), version in shared_stages.compiled.items():
                if (
                    other == part
                    and what in version.sources
                    and edits_before(own, stage) == edits_before(wanted, stage)
                ):
                    return what, version
        what = f"The {part} graph of {self.name} was not kept, so it cannot be compiled again."
        raise EngineError(what, "Capture again; this torch may lack a hook (see loupe doctor).")


def _inductor_source(
    version: InductorGraphVersion, stage: StageId, own: bool, edits: Edits
) -> tuple[torch.fx.GraphModule, bool, Graph | None]:
    """(source, whether it is shown edited, as it is shown) of ``aot`` or ``post_grad``, or of a body of it."""
    what = split(stage)[2]
    record, module = version.record, version.sources[what]
    if body := body_of(stage):
        bodies = record.aot_bodies if what == "aot" else record.post_grad_bodies
        return inner_of(module, stage, edits), own, bodies.get(body)
    return module, own, record.aot_graph if what == "aot" else record.post_grad


def of_graphs(edits: Edits) -> Edits:
    """The edits but those of generated text: kernels' sources and the wrapper."""
    return tuple(
        edit
        for edit in edits
        if not all(split(stage)[2] in ("kernels", "wrapper") for stage in stages_of(edit))
    )


def dressed(graph: Graph, shown: Graph | None) -> Graph:
    """The graph with roles and lanes as they are shown."""
    known = shown.by_id() if shown is not None else {}
    return Graph(
        tuple(
            msgspec.structs.replace(node, role=known[node.id].role, lane=known[node.id].lane)
            if node.id in known
            else node
            for node in graph.nodes
        )
    )
