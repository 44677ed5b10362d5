"""The panes; where they stand is said by workspaces. A pane's module is imported when it is first shown."""

from dataclasses import dataclass
from importlib import import_module

from PySide6.QtWidgets import QLabel, QWidget

from app.session.facade.session import Session
from compiler.analysis.plugins import found_panes, guarded


@dataclass(frozen=True)
class PaneRow:
    """One pane."""

    id: str
    title: str
    source: str
    """``module:Class``."""
    about: str
    """What it is for, in a line."""
    late: bool = False
    """Made when first shown, since what it imports is slow to load."""
    family: str = ""
    """The family whose page it is; alone in its dock without."""
    page: str = ""
    """What the page is called in its family."""
    brought: bool = False
    """By another package."""

    @property
    def dock(self) -> str:
        """The dock that holds it."""
        return self.family or self.id


CENTRE = "graph"
"""The pane that the others stand around."""

FAMILIES = {"breaks": "Graph breaks", "history": "History", "messages": "Messages"}
"""Panes about one matter share a dock, as pages: what the dock is called."""

_OURS = (
    PaneRow(
        "graph",
        "Graph",
        "app.panes.graph.graph_pane:GraphPane",
        "The stage that is shown, as boxes and arrows",
    ),
    PaneRow(
        "pipeline",
        "Pipeline",
        "app.panes.pipeline_pane:PipelinePane",
        "Every stage of the program, in the order torch makes them",
    ),
    PaneRow(
        "source", "Source", "app.panes.source_pane:SourcePane", "Your file, with what became of each line"
    ),
    PaneRow(
        "bytecode",
        "Bytecode",
        "app.panes.bytecode_pane:BytecodePane",
        "What Python runs, and what Dynamo made of it",
    ),
    PaneRow("code", "Code", "app.panes.code_pane:CodePane", "The stage that is shown, as a program"),
    PaneRow(
        "inspector",
        "Inspector",
        "app.panes.inspector_pane:InspectorPane",
        "Everything known of what is selected",
    ),
    PaneRow(
        "breaks",
        "Graph breaks",
        "app.panes.breaks_pane:BreaksPane",
        "Where and why Dynamo stopped, what it costs, and what helps",
        family="breaks",
        page="Breaks",
    ),
    PaneRow(
        "frames",
        "Frames",
        "app.panes.frames_pane:FramesPane",
        "What became of each Python frame: its graph, the break that ended it, the function that resumed",
        family="breaks",
        page="Frames",
    ),
    PaneRow(
        "partition",
        "Partition",
        "app.panes.partition_pane:PartitionPane",
        "What the forward keeps for the backward, and what it costs",
        late=True,
    ),
    PaneRow(
        "dispatcher",
        "Dispatcher",
        "app.panes.dispatcher_pane:DispatcherPane",
        "Which kernel an operator reaches for which tensors, and the path of a real call",
        late=True,
    ),
    PaneRow(
        "prims",
        "PrimTorch",
        "app.panes.prims_pane:PrimsPane",
        "Operators taken apart, from torch down to prims, with where each step is written",
        late=True,
    ),
    PaneRow(
        "trial",
        "Try a change",
        "app.panes.trial_pane:TrialPane",
        "Try a remedy or another option on a copy of the program",
        late=True,
        family="breaks",
        page="Try a change",
    ),
    PaneRow(
        "options",
        "torch.compile",
        "app.panes.options_pane:OptionsPane",
        "Every argument and option of torch.compile, and what they change for this program",
        late=True,
    ),
    PaneRow(
        "patterns",
        "Patterns",
        "app.panes.pattern_pane:PatternPane",
        "Find and replace parts of graphs with torch's own matcher",
    ),
    PaneRow(
        "guards",
        "Guards",
        "app.panes.guards_pane:GuardsPane",
        "What compiled code assumes, and what would compile again",
        late=True,
    ),
    PaneRow(
        "timings",
        "Timings",
        "app.panes.timings_pane:TimingsPane",
        "Kernels on a clock while the program runs",
        late=True,
    ),
    PaneRow(
        "run",
        "Run",
        "app.panes.run_pane:RunPane",
        "A program that runs by itself: every compile and its cause, steps, and where the time went",
        late=True,
    ),
    PaneRow(
        "ranks",
        "Ranks",
        "app.panes.ranks_pane:RanksPane",
        "The processes of a distributed program: which compiled the same, and where others went apart",
        late=True,
    ),
    PaneRow(
        "lowering",
        "GPU kernels",
        "app.panes.lowering_pane:LoweringPane",
        "Triton kernels down to PTX and SASS or AMDGCN, registers and occupancy",
        late=True,
    ),
    PaneRow(
        "history",
        "History",
        "app.panes.history_pane:HistoryPane",
        "Every edit and every state, as a tree",
        family="history",
        page="Edits",
    ),
    PaneRow(
        "cause",
        "Cause",
        "app.panes.cause_pane:CausePane",
        "What makes compiled results wrong: the stage, the pass, the fusion, the kernel",
        late=True,
    ),
    PaneRow(
        "changes",
        "Changes",
        "app.panes.changes_pane:ChangesPane",
        "What the last save of the file or the last capture changed",
        late=True,
        family="history",
        page="Changes",
    ),
    PaneRow(
        "compare",
        "Compare",
        "app.panes.compare_pane:ComparePane",
        "Any two graphs: added, removed, changed and moved",
        late=True,
        family="history",
        page="Compare",
    ),
    PaneRow(
        "front_ends",
        "Front ends",
        "app.panes.front_ends_pane:FrontEndsPane",
        "The program captured in every way PyTorch has, and which results are wrong",
        late=True,
    ),
    PaneRow(
        "scripts",
        "TorchScript",
        "app.panes.script_pane:ScriptPane",
        "TorchScript's IR: change it, run it, save it, and run it in C++",
        late=True,
    ),
    PaneRow(
        "problems",
        "Problems",
        "app.panes.problems_pane:ProblemsPane",
        "What went wrong, where, and what to do",
        family="messages",
        page="Problems",
    ),
    PaneRow(
        "output",
        "Output",
        "app.panes.output_pane:OutputPane",
        "What your program and torch print",
        family="messages",
        page="Output",
    ),
)

BROUGHT = found_panes((*FAMILIES, *(row.id for row in _OURS)))
"""Other packages' panes, none of which has the name of a dock or pane of ours."""
PANES = (
    *_OURS,
    *(
        PaneRow(pane.id, pane.title, pane.source, pane.about, late=True, brought=True)
        for pane in BROUGHT.rows
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
        if not row.brought:
            raise
        fault = guarded(row.id, error)
        session.report(fault)
        reported = QLabel(fault.message(), parent)
        reported.setWordWrap(True)
        return reported


def _made(row: PaneRow, session: Session, parent: QWidget) -> QWidget:
    module, _, name = row.source.partition(":")
    made = getattr(import_module(module), name)(session, parent)
    if not isinstance(made, QWidget):
        raise TypeError(f"{row.source} gives {type(made).__name__}, which is no QWidget")
    return made
