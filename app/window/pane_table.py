"""The panes; where they stand is said by workspaces. A pane's module is imported when it is first shown."""

from dataclasses import dataclass
from importlib import import_module

from PySide6.QtWidgets import QLabel, QWidget

from app.session.facade.session import Session
from compiler.analysis.plugins import Pane, found_panes, guarded


@dataclass(frozen=True)
class PaneRow:
    """One pane."""

    id: str
    title: str
    source: str
    """``module:Class``."""
    late: bool = False
    """Made when first shown, since what it imports is slow to load."""
    family: str = ""
    """The family whose page it is; alone in its dock without."""
    page: str = ""
    """What the page is called in its family."""
    plugin_about: str | None = None
    """What it is for, where another package brings it."""

    @property
    def dock(self) -> str:
        """The dock that holds it."""
        return self.family or self.id


CENTRE = "graph"
"""The pane that the others stand around."""

FAMILIES = {"breaks": "Graph breaks", "history": "History", "messages": "Messages"}
"""Panes about one matter share a dock, as pages: what the dock is called."""

_OURS = (
    PaneRow("graph", "Graph", "app.panes.graph.graph_pane:GraphPane"),
    PaneRow("pipeline", "Pipeline", "app.panes.pipeline_pane:PipelinePane"),
    PaneRow("source", "Source", "app.panes.source_pane:SourcePane"),
    PaneRow("bytecode", "Bytecode", "app.panes.bytecode_pane:BytecodePane"),
    PaneRow("code", "Code", "app.panes.code_pane:CodePane"),
    PaneRow("inspector", "Inspector", "app.panes.inspector_pane:InspectorPane"),
    PaneRow("breaks", "Graph breaks", "app.panes.breaks_pane:BreaksPane", family="breaks", page="Breaks"),
    PaneRow("frames", "Frames", "app.panes.frames_pane:FramesPane", family="breaks", page="Frames"),
    PaneRow("partition", "Partition", "app.panes.partition_pane:PartitionPane", late=True),
    PaneRow("dispatcher", "Dispatcher", "app.panes.dispatcher_pane:DispatcherPane", late=True),
    PaneRow("prims", "PrimTorch", "app.panes.prims_pane:PrimsPane", late=True),
    PaneRow(
        "trial",
        "Try a change",
        "app.panes.trial_pane:TrialPane",
        late=True,
        family="breaks",
        page="Try a change",
    ),
    PaneRow("options", "torch.compile", "app.panes.options_pane:OptionsPane", late=True),
    PaneRow("patterns", "Patterns", "app.panes.pattern_pane:PatternPane"),
    PaneRow("guards", "Guards", "app.panes.guards_pane:GuardsPane", late=True),
    PaneRow("timings", "Timings", "app.panes.timings_pane:TimingsPane", late=True),
    PaneRow("run", "Run", "app.panes.run_pane:RunPane", late=True),
    PaneRow("ranks", "Ranks", "app.panes.ranks_pane:RanksPane", late=True),
    PaneRow("lowering", "GPU kernels", "app.panes.lowering_pane:LoweringPane", late=True),
    PaneRow("history", "History", "app.panes.history_pane:HistoryPane", family="history", page="Edits"),
    PaneRow("cause", "Cause", "app.panes.cause_pane:CausePane", late=True),
    PaneRow(
        "changes",
        "Changes",
        "app.panes.changes_pane:ChangesPane",
        late=True,
        family="history",
        page="Changes",
    ),
    PaneRow(
        "compare",
        "Compare",
        "app.panes.compare_pane:ComparePane",
        late=True,
        family="history",
        page="Compare",
    ),
    PaneRow("front_ends", "Front ends", "app.panes.front_ends_pane:FrontEndsPane", late=True),
    PaneRow("scripts", "TorchScript", "app.panes.script_pane:ScriptPane", late=True),
    PaneRow(
        "problems", "Problems", "app.panes.problems_pane:ProblemsPane", family="messages", page="Problems"
    ),
    PaneRow("output", "Output", "app.panes.output_pane:OutputPane", family="messages", page="Output"),
)

_TAKEN = tuple(
    Pane(name, name, "", "app:ours") for name in dict.fromkeys((*FAMILIES, *(row.id for row in _OURS)))
)
"""Names of docks and panes, which no other package's pane may have."""
BROUGHT = found_panes(_TAKEN)
PANES = (
    *_OURS,
    *(
        PaneRow(pane.id, pane.title, pane.source, late=True, plugin_about=pane.about)
        for pane in BROUGHT.rows[len(_TAKEN) :]
    ),
)


def row_of(pane_id: str) -> PaneRow | None:
    """A pane by its id."""
    return next((row for row in PANES if row.id == pane_id), None)


def make_pane(row: PaneRow, session: Session, parent: QWidget) -> QWidget:
    """Import and make a pane. One that another package brings may fail, which is told in its place."""
    try:
        return _made(row, session, parent)
    except Exception as error:
        if row.plugin_about is None:
            raise
        fault = guarded(row.id, error)
        session.report(fault)
        told = QLabel(fault.message(), parent)
        told.setWordWrap(True)
        return told


def _made(row: PaneRow, session: Session, parent: QWidget) -> QWidget:
    module, _, name = row.source.partition(":")
    made = getattr(import_module(module), name)(session, parent)
    if not isinstance(made, QWidget):
        raise TypeError(f"{row.source} gives {type(made).__name__}, which is no QWidget")
    return made
