"""The panes and where they stand at first. A pane's module is imported when it is first shown."""

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from PySide6.QtWidgets import QWidget

from app.session.facade.session import Session


@dataclass(frozen=True)
class PaneRow:
    """One pane."""

    id: str
    title: str
    area: str
    """``centre``, ``left``, ``beside`` (between left and centre), ``right`` or ``bottom``."""
    source: str
    """``module:Class``."""
    late: bool = False
    """Made when first shown, since what it imports is slow to load."""


PANES = (
    PaneRow("graph", "Graph", "centre", "app.panes.graph.graph_pane:GraphPane"),
    PaneRow("pipeline", "Pipeline", "left", "app.panes.pipeline_pane:PipelinePane"),
    PaneRow("source", "Source", "beside", "app.panes.source_pane:SourcePane"),
    PaneRow("bytecode", "Bytecode", "beside", "app.panes.bytecode_pane:BytecodePane"),
    PaneRow("code", "Code", "right", "app.panes.code_pane:CodePane"),
    PaneRow("inspector", "Inspector", "right", "app.panes.inspector_pane:InspectorPane"),
    PaneRow("breaks", "Graph breaks", "bottom", "app.panes.breaks_pane:BreaksPane"),
    PaneRow("partition", "Partition", "bottom", "app.panes.partition_pane:PartitionPane", late=True),
    PaneRow("dispatcher", "Dispatcher", "bottom", "app.panes.dispatcher_pane:DispatcherPane", late=True),
    PaneRow("prims", "PrimTorch", "bottom", "app.panes.prims_pane:PrimsPane", late=True),
    PaneRow("trial", "Try a change", "bottom", "app.panes.trial_pane:TrialPane", late=True),
    PaneRow("options", "torch.compile", "bottom", "app.panes.options_pane:OptionsPane", late=True),
    PaneRow("patterns", "Patterns", "bottom", "app.panes.pattern_pane:PatternPane"),
    PaneRow("guards", "Guards", "bottom", "app.panes.guards_pane:GuardsPane", late=True),
    PaneRow("timings", "Timings", "bottom", "app.panes.timings_pane:TimingsPane", late=True),
    PaneRow("run", "Run", "bottom", "app.panes.run_pane:RunPane", late=True),
    PaneRow("ranks", "Ranks", "bottom", "app.panes.ranks_pane:RanksPane", late=True),
    PaneRow("lowering", "GPU kernels", "bottom", "app.panes.lowering_pane:LoweringPane", late=True),
    PaneRow("history", "History", "bottom", "app.panes.history_pane:HistoryPane"),
    PaneRow("changes", "Changes", "bottom", "app.panes.changes_pane:ChangesPane", late=True),
    PaneRow("compare", "Compare", "bottom", "app.panes.compare_pane:ComparePane", late=True),
    PaneRow("front_ends", "Front ends", "bottom", "app.panes.front_ends_pane:FrontEndsPane", late=True),
    PaneRow("scripts", "TorchScript", "bottom", "app.panes.script_pane:ScriptPane", late=True),
    PaneRow("problems", "Problems", "bottom", "app.panes.problems_pane:ProblemsPane"),
    PaneRow("output", "Output", "bottom", "app.panes.output_pane:OutputPane"),
)


def make_pane(row: PaneRow, session: Session, parent: QWidget) -> QWidget:
    """Import and make a pane."""
    module, _, name = row.source.partition(":")
    made = getattr(import_module(module), name)(session, parent)
    return cast("QWidget", made)
