"""The panes; where they stand is said by workspaces. A pane's module is imported when it is first shown."""

import contextlib
from dataclasses import dataclass
from importlib import import_module

from PySide6.QtWidgets import QWidget

from app.session.facade.session import Session
from app.translation.texts import tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from compiler.analysis.plugins import found_panes, guarded, somebody_elses


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

LABS = ("front_ends", "lowering", "dispatcher", "prims", "scripts", "options")
"""Panes that are looked into now and then, in the order of their page: each comes up with room."""

FAMILIES = {"breaks": tr_noop("Graph breaks"), "history": tr_noop("History"), "messages": tr_noop("Messages")}
"""Panes about one matter share a dock, as pages: what the dock is called."""

_OURS = (
    PaneRow(
        "graph",
        tr_noop("Graph"),
        "app.panes.graph.graph_pane:GraphPane",
        tr_noop("The stage that is shown, as boxes and arrows"),
    ),
    PaneRow(
        "pipeline",
        tr_noop("Pipeline"),
        "app.panes.pipeline_pane:PipelinePane",
        tr_noop("Every stage of the program, in the order torch makes them"),
    ),
    PaneRow(
        "source",
        tr_noop("Source"),
        "app.panes.source_pane:SourcePane",
        tr_noop("Your file, with what became of each line"),
    ),
    PaneRow(
        "bytecode",
        tr_noop("Bytecode"),
        "app.panes.bytecode_pane:BytecodePane",
        tr_noop("What Python runs, and what Dynamo made of it"),
    ),
    PaneRow(
        "code",
        tr_noop("Code"),
        "app.panes.code_pane:CodePane",
        tr_noop("The stage that is shown, as a program"),
    ),
    PaneRow(
        "inspector",
        tr_noop("Inspector"),
        "app.panes.inspector_pane:InspectorPane",
        tr_noop("Everything known of what is selected"),
    ),
    PaneRow(
        "breaks",
        tr_noop("Graph breaks"),
        "app.panes.breaks_pane:BreaksPane",
        tr_noop("Where and why Dynamo stopped, what it costs, and what helps"),
        family="breaks",
        page=tr_noop("Breaks"),
    ),
    PaneRow(
        "frames",
        tr_noop("Frames"),
        "app.panes.frames_pane:FramesPane",
        tr_noop(
            "What became of each Python frame: its graph, the break that ended it, the function that resumed"
        ),
        family="breaks",
        page=tr_noop("Frames"),
    ),
    PaneRow(
        "partition",
        tr_noop("Partition"),
        "app.panes.partition_pane:PartitionPane",
        tr_noop("What the forward keeps for the backward, and what it costs"),
        late=True,
    ),
    PaneRow(
        "dispatcher",
        tr_noop("Dispatcher"),
        "app.panes.dispatcher_pane:DispatcherPane",
        tr_noop("Which kernel an operator reaches for which tensors, and the path of a real call"),
        late=True,
    ),
    PaneRow(
        "prims",
        tr_noop("PrimTorch"),
        "app.panes.prims_pane:PrimsPane",
        tr_noop("Operators taken apart, from torch down to prims, with where each step is written"),
        late=True,
    ),
    PaneRow(
        "trial",
        tr_noop("Try a change"),
        "app.panes.trial_pane:TrialPane",
        tr_noop("Try a remedy or another option on a copy of the program"),
        late=True,
        family="breaks",
        page=tr_noop("Try a change"),
    ),
    PaneRow(
        "options",
        tr_noop("torch.compile"),
        "app.panes.options_pane:OptionsPane",
        tr_noop("Every argument and option of torch.compile, and what they change for this program"),
        late=True,
    ),
    PaneRow(
        "patterns",
        tr_noop("Patterns"),
        "app.panes.pattern_pane:PatternPane",
        tr_noop("Find and replace parts of graphs with torch's own matcher"),
    ),
    PaneRow(
        "guards",
        tr_noop("Guards"),
        "app.panes.guards_pane:GuardsPane",
        tr_noop("What compiled code assumes, and what would compile again"),
        late=True,
    ),
    PaneRow(
        "timings",
        tr_noop("Timings"),
        "app.panes.timings_pane:TimingsPane",
        tr_noop("Kernels on a clock while the program runs"),
        late=True,
    ),
    PaneRow(
        "run",
        tr_noop("Run"),
        "app.panes.run_pane:RunPane",
        tr_noop("A program that runs by itself: every compile and its cause, steps, and where the time went"),
        late=True,
    ),
    PaneRow(
        "ranks",
        tr_noop("Ranks"),
        "app.panes.ranks_pane:RanksPane",
        tr_noop(
            "The processes of a distributed program: which compiled the same, and where others went apart"
        ),
        late=True,
    ),
    PaneRow(
        "lowering",
        tr_noop("GPU kernels"),
        "app.panes.lowering_pane:LoweringPane",
        tr_noop("Triton kernels down to PTX and SASS or AMDGCN, registers and occupancy"),
        late=True,
    ),
    PaneRow(
        "history",
        tr_noop("History"),
        "app.panes.history_pane:HistoryPane",
        tr_noop("Every edit and every state, as a tree"),
        family="history",
        page=tr_noop("Edits"),
    ),
    PaneRow(
        "cause",
        tr_noop("Cause"),
        "app.panes.cause_pane:CausePane",
        tr_noop("What makes compiled results wrong: the stage, the pass, the fusion, the kernel"),
        late=True,
    ),
    PaneRow(
        "changes",
        tr_noop("Changes"),
        "app.panes.changes_pane:ChangesPane",
        tr_noop("What the last save of the file or the last capture changed"),
        late=True,
        family="history",
        page=tr_noop("Changes"),
    ),
    PaneRow(
        "compare",
        tr_noop("Compare"),
        "app.panes.compare_pane:ComparePane",
        tr_noop("Any two graphs: added, removed, changed and moved"),
        late=True,
        family="history",
        page=tr_noop("Compare"),
    ),
    PaneRow(
        "front_ends",
        tr_noop("Front ends"),
        "app.panes.front_ends_pane:FrontEndsPane",
        tr_noop("The program captured in every way PyTorch has, and which results are wrong"),
        late=True,
    ),
    PaneRow(
        "scripts",
        tr_noop("TorchScript"),
        "app.panes.script_pane:ScriptPane",
        tr_noop("TorchScript's IR: change it, run it, save it, and run it in C++"),
        late=True,
    ),
    PaneRow(
        "problems",
        tr_noop("Problems"),
        "app.panes.problems_pane:ProblemsPane",
        tr_noop("What went wrong, where, and what to do"),
        family="messages",
        page=tr_noop("Problems"),
    ),
    PaneRow(
        "output",
        tr_noop("Output"),
        "app.panes.output_pane:OutputPane",
        tr_noop("What your program and torch print"),
        family="messages",
        page=tr_noop("Output"),
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
    """Import and make a pane. One that another package brings may fail, which is reported in its place."""
    try:
        with somebody_elses() if row.brought else contextlib.nullcontext():
            return _made(row, session, parent)
    except Exception as error:
        if not row.brought:
            raise
        fault = guarded(row.id, error)
        session.report(fault)
        return WrappedLabel(fault.message(), parent)


def _made(row: PaneRow, session: Session, parent: QWidget) -> QWidget:
    module, _, name = row.source.partition(":")
    made = getattr(import_module(module), name)(session, parent)
    if not isinstance(made, QWidget):
        raise TypeError(f"{row.source} gives {type(made).__name__}, which is no QWidget")
    return made
