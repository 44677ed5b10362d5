"""A program captured with another front end, held so that questions about its graphs are answered and edits carried out.

Edits are carried out in a capture of their own: the program is captured again, each graph is brought where its edits lead as
soon as it is made, and all that the front end makes of it is made of the edited one.
"""

import dataclasses
import functools
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import torch.fx

from compiler.engine.errors import EngineError, failure_from
from compiler.engine.front_ends.capture import assembled, run_front_end
from compiler.engine.front_ends.edit.judge_edits import has_gradients, judge_front_end_edits
from compiler.engine.front_ends.interface.editable_graphs import EditableGraph, GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.fx.probe_ops import collecting
from compiler.engine.graph_editing.fake_values import as_fakes
from compiler.engine.user_program.checked_loading import loaded
from compiler.engine.user_program.stepper import Stepper, unchanged_state
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.editable_stages import edits_text
from compiler.model.edits.edits import Edit, ReplaceText, single_edits, stages_of
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.export import EditedGraph, EditedInductorGraph
from compiler.model.export.edited_graph import FRONT_END
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import CaptureId, NodeId, StageId, place
from compiler.model.protocol.front_end_requests import EditFrontEnd, FrontEndEdited

ReportProgress = Callable[[str], None]


class EditedFrontEnd:
    """One program with the graphs that its front end made of it; an `AsksEdited`. Raises EngineError for all that a person can
    mend.
    """

    def __init__(self, spec: CaptureSpec, report_progress: ReportProgress) -> None:
        self.asked = spec
        """As it was asked for; `spec` says where it runs."""
        self.program, self.spec, _, self._notes = loaded(spec, report_progress)
        self._graphs = GraphHolder()
        self.result = self._captured(self._graphs, report_progress)
        self._made: GraphHolder | None = None
        """The graphs with the texts that were asked about last."""

    def _captured(self, graphs: GraphHolder, report_progress: ReportProgress) -> FrontEndResult:
        with unchanged_state(self.program):
            return run_front_end(self.spec, self.program, report_progress, graphs)

    def captured(self, capture_id: CaptureId) -> Capture:
        """The capture without edits."""
        return assembled(self.spec, capture_id, self.result, self.program.path, self._notes)

    # -- changing ----------------------------------------------------------------------------------------------

    def edit(self, order: EditFrontEnd, report_progress: ReportProgress) -> FrontEndEdited:
        """Capture with edits, run, and judge."""
        for edit in single_edits(order.edits):
            if not isinstance(edit, ReplaceText):
                _live_graph(self._graphs, edit.stage)
            elif edit.stage not in (text.id for text in self.result.stages if edits_text(text)):
                raise EngineError(_cannot(edit.stage))
            if isinstance(edit, ChooseSaved | ChooseMemoryBudget):
                what = "AOTAutograd alone is cut as both partitioners choose; nothing is chosen by hand."
                raise EngineError(what, "Undo the choice, or capture with torch.compile.")
        started = time.perf_counter()
        result = self._captured(GraphHolder(order.edits), report_progress)
        capture = assembled(self.spec, order.id, result, self.program.path, self._notes)
        capture = msgspec.structs.replace(capture, parent=order.base, seconds=time.perf_counter() - started)
        stepper, before, after = self._judged(result)
        report_progress("Running the edited program")
        try:
            with collecting() as readings:
                stepper.compared_step(after.call)
        except Exception as error:
            remedy = "Undo the edit or change it."
            raise failure_from(error, "The edited program fails when run", remedy) from error
        if readings:
            capture = msgspec.structs.replace(capture, readings=tuple(readings))
        if not order.judge:
            return FrontEndEdited(capture, None)
        gradients = self.spec.run.gradients
        return FrontEndEdited(
            capture, judge_front_end_edits(stepper, before, after, gradients, report_progress)
        )

    def _judged(self, edited: FrontEndResult) -> tuple[Stepper, FrontEndResult, FrontEndResult]:
        """What runs before and after, on what; without gradients where what was captured has none."""
        without = msgspec.structs.replace(self.spec.run, gradients=False)
        stepper = functools.partial(Stepper, looks_at_state=False)
        if self.result.alone is not None and edited.alone is not None:
            before, after = (
                dataclasses.replace(one, call=one.alone.call) for one in (self.result, edited) if one.alone
            )
            return stepper(self.result.alone.program, without), before, after
        whole = stepper(self.program, self.spec.run)
        if self.spec.run.gradients and not has_gradients(whole, self.result):
            whole = stepper(self.program, without)
        return whole, self.result, edited

    # -- asking ------------------------------------------------------------------------------------------------

    def preview(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[tuple[StageId, Graph], ...], tuple[Problem, ...]]:
        """Each edited graph with fresh result types, and what is wrong with them."""
        try:
            graphs, rest = self._with_texts(edits)
        except EngineError as error:
            return (), (error.problem,)
        rows = [(stage, *_live_graph(graphs, stage).preview(rest)) for stage in _stages(rest)]
        problems = tuple(problem for _, _, found in rows for problem in found)
        return tuple((stage, graph) for stage, graph, _ in rows), problems

    def edited_module(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        """A live copy of a stage's graph with its edits applied, and the same as data. Raises EngineError."""
        graphs, rest = self._with_texts(edits)
        return _live_graph(graphs, stage).edited(rest)

    def node_values(
        self, stage: StageId, edits: tuple[Edit, ...]
    ) -> tuple[torch.fx.GraphModule, Mapping[NodeId, Any], Any]:
        """Such a copy, a fake of what each node gives on the example, and their fake mode. Raises EngineError."""
        graphs, rest = self._with_texts(edits)
        held = _live_graph(graphs, stage)
        module, graph = held.edited(rest)
        values, _ = held.run(module, graph)
        mode, values = (held.fake_mode, values) if held.fake_mode is not None else as_fakes(values)
        return module, values, mode

    def graphs_alike(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[StageId, ...]:
        """All of its graphs: each front end has one kind. Raises EngineError."""
        return tuple(self._with_texts(edits)[0].live)

    def exported(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[EditedGraph, ...], tuple[EditedInductorGraph, ...]]:
        """Each edited graph before and after. Raises EngineError."""
        graphs, rest = self._with_texts(edits)
        both = [(stage, _live_graph(graphs, stage)) for stage in _stages(rest)]
        return (
            tuple(EditedGraph(stage, FRONT_END, held.graph, held.edited(rest)[1]) for stage, held in both),
            (),
        )

    def _with_texts(self, edits: tuple[Edit, ...]) -> tuple[GraphHolder, tuple[Edit, ...]]:
        """The graphs that are made of the last text that was edited, and the edits that follow it. The program is captured
        again for another text only. Raises EngineError.
        """
        texts = [at for at, edit in enumerate(edits) if _has_text(edit)]
        end = texts[-1] + 1 if texts else 0
        if self._made is None or self._made.edits != edits[:end]:
            self._made = None
            made = GraphHolder(edits[:end]) if end else self._graphs
            if end:
                self._captured(made, lambda text: None)
            self._made = made
        return self._made, edits[end:]


def _live_graph(graphs: GraphHolder, stage: StageId) -> EditableGraph:
    if stage not in graphs.live:
        raise EngineError(_cannot(stage))
    return graphs.live[stage]


def _stages(edits: tuple[Edit, ...]) -> tuple[StageId, ...]:
    return tuple(dict.fromkeys(stage for edit in edits for stage in stages_of(edit)))


def _cannot(stage: StageId) -> Problem:
    return Problem(
        f"The stage {stage} of this capture cannot be edited.", "Undo the edit.", place=place(stage)
    )


def _has_text(edit: Edit) -> bool:
    return any(isinstance(one, ReplaceText) for one in single_edits((edit,)))
