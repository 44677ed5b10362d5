"""A program captured with another front end, held so that questions about its graphs are answered and edits carried out.

Edits are carried out in a capture of their own: the program is captured again, each graph is brought where its edits lead as
soon as it is made, and all that the front end makes of it is made of the edited one.
"""

import time
from collections.abc import Callable, Mapping

import msgspec

from compiler.engine.failures import EngineError, problem_from
from compiler.engine.fake_values import as_fakes
from compiler.engine.front_end_capturing import assembled, loaded, run_front_end
from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.front_end_verdicts import has_gradients, judge_front_end_edits
from compiler.engine.held_graphs import GraphHolder, HeldGraph
from compiler.engine.op_choices import choices_for
from compiler.engine.op_signatures import signatures_of
from compiler.engine.pattern_finding import find_in
from compiler.engine.probes import collecting
from compiler.engine.running import Stepper, unchanged_state
from compiler.model.edits import Edit, single_edits, stages_of
from compiler.model.exporting.edited_graph import FRONT_END, EditedGraph
from compiler.model.front_end_edits import EditFrontEnd, EditQuestion, FrontEndEdited
from compiler.model.ids import NodeId, StageId, place
from compiler.model.messages import (
    EditedGraphs,
    FindMatches,
    ListEditedGraphs,
    ListOps,
    ListSignatures,
    Preview,
    PreviewEdits,
)
from compiler.model.op_catalog import OpChoices
from compiler.model.op_schemas import NodeSignatures
from compiler.model.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.patterns import PatternMatches
from compiler.model.problems import Problem
from compiler.model.targets import CaptureSpec

Say = Callable[[str], None]
EditAnswer = Preview | OpChoices | NodeSignatures | PatternMatches | EditedGraphs


class EditedFrontEnd:
    """One program with the graphs that its front end made of it. Raises EngineError for all that a person can mend."""

    def __init__(self, spec: CaptureSpec, say: Say) -> None:
        self.spec = spec
        self.program = loaded(spec, say)
        self._graphs = GraphHolder()
        self.result = self._captured(self._graphs, say)

    def _captured(self, graphs: GraphHolder, say: Say) -> FrontEndResult:
        with unchanged_state(self.program.module):
            return run_front_end(self.spec, self.program, say, graphs)

    # -- changing ----------------------------------------------------------------------------------------------

    def edit(self, order: EditFrontEnd, say: Say) -> FrontEndEdited:
        """Capture with edits, run, and judge."""
        for edit in single_edits(order.edits):
            self._held(edit.stage)
            if isinstance(edit, ChooseSaved | ChooseMemoryBudget):
                what = "AOTAutograd alone is cut as both partitioners choose; nothing is chosen by hand."
                raise EngineError(Problem(what, "Undo the choice, or capture with torch.compile."))
        stepper = self._stepper()
        started = time.perf_counter()
        result = self._captured(GraphHolder(order.edits), say)
        capture = assembled(self.spec, order.id, result, self.program.path)
        capture = msgspec.structs.replace(capture, parent=order.base, seconds=time.perf_counter() - started)
        say("Running the edited program")
        try:
            with collecting() as readings:
                stepper.compared_step(result.call)
        except Exception as error:
            remedy = "Undo the edit or change it."
            raise EngineError(problem_from(error, "The edited program fails when run", remedy)) from error
        if readings:
            capture = msgspec.structs.replace(capture, readings=tuple(readings))
        if not order.judge:
            return FrontEndEdited(capture, None)
        gradients = self.spec.run.gradients
        return FrontEndEdited(capture, judge_front_end_edits(stepper, self.result, result, gradients, say))

    def _stepper(self) -> Stepper:
        """Without gradients where what was captured has none."""
        stepper = Stepper(self.program, self.spec.run)
        if self.spec.run.gradients and not has_gradients(stepper, self.result):
            return Stepper(self.program, msgspec.structs.replace(self.spec.run, gradients=False))
        return stepper

    # -- asking ------------------------------------------------------------------------------------------------

    def answer(self, question: EditQuestion) -> EditAnswer:
        """What is asked about the graphs with edits."""
        match question:
            case PreviewEdits():
                return self._preview(question.edits)
            case ListOps():
                return self._choices(question.stage, question.node, question.edits)
            case ListSignatures():
                module, _ = self._held(question.stage).edited(question.edits)
                live = {node.name: node for node in module.graph.nodes}
                return signatures_of(live[_known(question.node, live, question.stage)])
            case FindMatches():
                graphs = ((held.stage, *held.edited(question.edits)) for held in self._graphs.held.values())
                return find_in(graphs, question.pattern)
            case ListEditedGraphs():
                stages = dict.fromkeys(stage for edit in question.edits for stage in stages_of(edit))
                rows = ((stage, self._held(stage)) for stage in stages)
                return EditedGraphs(
                    tuple(
                        EditedGraph(stage, FRONT_END, held.graph, held.edited(question.edits)[1])
                        for stage, held in rows
                    )
                )

    def _preview(self, edits: tuple[Edit, ...]) -> Preview:
        stages = dict.fromkeys(stage for edit in edits for stage in stages_of(edit))
        rows = [(stage, *self._held(stage).preview(edits)) for stage in stages]
        problems = tuple(problem for _, _, found in rows for problem in found)
        return Preview(tuple((stage, graph) for stage, graph, _ in rows), problems)

    def _choices(self, stage: StageId, node: NodeId, edits: tuple[Edit, ...]) -> OpChoices:
        held = self._held(stage)
        module, graph = held.edited(edits)
        live = {item.name: item for item in module.graph.nodes}
        values, _ = held.run(module, graph)
        mode, values = (held.fake_mode, values) if held.fake_mode is not None else as_fakes(values)
        return choices_for(live[_known(node, live, stage)], lambda item: values.get(item.name), mode)

    def _held(self, stage: StageId) -> HeldGraph:
        if stage not in self._graphs.held:
            what = f"The graph {stage} of this capture cannot be edited."
            raise EngineError(Problem(what, "Undo the edit.", place=place(stage)))
        return self._graphs.held[stage]


def _known(node: NodeId, live: Mapping[str, object], stage: StageId) -> NodeId:
    if node not in live:
        raise EngineError(Problem(f"There is no node {node} in {stage}.", "Choose another node."))
    return node
