"""Edits of graphs in a program that runs by itself: compiled between two of its calls, and put in their place."""

from collections.abc import Callable, Iterable

from compiler.engine.capture.assemble import final_dynamo_graphs
from compiler.engine.capture.capture import CompiledGraphs
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_graph import EditedDynamoGraph
from compiler.engine.recompile.edited_graphs import EditedGraphs, edits_of
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.stage_ids import split
from compiler.engine.torch_internals.inductor.cuda_graphs import replays_cuda_graph
from compiler.engine.torch_internals.live.editable_program import EditableGraph, EditableProgram
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, ReplaceWrapper, single_edits, stages_of
from compiler.model.ir.collectives import called_collectives
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.ir.stage import Stage, WrapperStage


class EditedRun(EditedGraphs):
    """The graphs of a running program, those that are asked about. Nothing of the program is run for an edit."""

    def __init__(self, base: CompiledGraphs, program: EditableProgram) -> None:
        super().__init__(base)
        self._dynamo_graphs = {}
        self._program = program
        program.pinned = lambda compile_id: bool(self._edits_of_graph(compile_id))

    def graph_of(self, edits: Iterable[Edit]) -> EditableGraph | None:
        """What counts the calls of the first graph that edits are of, or None."""
        for edit in edits:
            for stage in stages_of(edit):
                return self._program.editable_graph(split(stage)[0])
        return None

    def apply(
        self, edits: tuple[Edit, ...], capture_id: CaptureId, report_progress: Callable[[str], None]
    ) -> Capture:
        """Compile what the edits change and let the program's next calls run it. Raises EngineError where that cannot be
        done safely; then what ran before runs.
        """
        before = self.edits
        self._refuse_what_may_end_it(edits)
        capture = self.recompile(edits, capture_id, report_progress)
        try:
            self._require_same_collectives(edits)
        except EngineError:
            self.take_back(before)
            raise
        return capture

    def take_back(self, edits: tuple[Edit, ...]) -> None:
        """Run again what ran with these edits; it was compiled before."""
        for name, graph in self._dynamo_graphs.items():
            graph.restore(edits_of(name, edits))
        self.edits = edits

    def _edited_graph(self, stage: StageId) -> EditedDynamoGraph:
        compile_id = split(stage)[0]
        held = self._program.live_graph(compile_id)
        known = self._dynamo_graphs.get(compile_id)
        if held is None or (known is not None and known.dynamo_graph is not held and not known.edits):
            self._dynamo_graphs.pop(compile_id, None)
            known = None
        if known is None and held is not None:
            known = self._dynamo_graphs[compile_id] = EditedDynamoGraph(self.base, held)
        if known is None:
            what = f"The graph {compile_id} cannot be edited in the running program any more: others were compiled after it."
            raise EngineError(what, "Edit a graph that was compiled later, or open its file.")
        return known

    def _records(self) -> list[DynamoGraphRecord]:
        edited = {name: graph.version.record for name, graph in self._dynamo_graphs.items() if graph.edits}
        return [edited.get(row.compile_id, row) for row in final_dynamo_graphs(self.base.recorder)]

    def _edits_of_graph(self, compile_id: str) -> tuple[Edit, ...]:
        known = self._dynamo_graphs.get(compile_id)
        return known.edits if known is not None else ()

    def _refuse_what_may_end_it(self, edits: tuple[Edit, ...]) -> None:
        """What could leave the program without a version that runs."""
        for edit in single_edits(edits):
            if isinstance(edit, ReplaceWrapper):
                what = "The text of a wrapper is not changed in a running program: it is Python that may fail halfway."
                raise EngineError(what, "Try it on a capture of the file, where nothing is lost.")
            for stage in stages_of(edit):
                graph = self.dynamo_graph(stage)
                if replays_cuda_graph(graph.dynamo_module, graph.settings):
                    what = f"{split(stage)[0]} is replayed as a CUDA graph, which holds the addresses of what it was recorded with."
                    remedy = "Start the program without CUDA graphs to edit it while it runs."
                    raise EngineError(what, remedy)

    def _require_same_collectives(self, edits: tuple[Edit, ...]) -> None:
        """Other ranks go on with the collectives they have: one more, one less or another order would hang them all."""
        for name in dict.fromkeys(split(stage)[0] for edit in edits for stage in stages_of(edit)):
            graph = self._dynamo_graphs[name]
            first = graph.versions.versions[()]
            if _collectives(first.stages) != _collectives(graph.version.stages):
                what = f"With these edits {name} calls other collectives, or in another order, than other ranks do."
                raise EngineError(what, "Edit what lies between collectives.")


def _collectives(stages: Iterable[Stage]) -> list[tuple[StageId, list[str]]]:
    """What each generated half waits for other ranks with, in order."""
    return [
        (stage.id, called_collectives(stage.content.code.text))
        for stage in stages
        if isinstance(stage.content, WrapperStage)
    ]
