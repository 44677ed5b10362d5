"""The workspaces: few panes each, at sizes that fit what is in them. The graph is in the middle of all."""

from dataclasses import dataclass

from app.translation.texts import tr_noop


@dataclass(frozen=True)
class Workspace:
    """The panes of one job; panes that stand at one place share it as tabs, the first one in front."""

    id: str
    title: str
    about: str
    columns: tuple[tuple[str, ...], ...]
    """Left of the graph, from left to right."""
    side: tuple[tuple[str, ...], ...] = ()
    """Right of the graph, from top to bottom."""
    bottom: tuple[str, ...] = ()
    """Below the graph and what is right of it."""
    bottom_share: float = 0.3
    """Of the height."""
    wide_bottom: bool = False
    """Whether what is below takes the width of the columns too, which are then lower."""

    @property
    def panes(self) -> frozenset[str]:
        """All of them."""
        return frozenset(pane for group in (*self.columns, *self.side, self.bottom) for pane in group)


_CODE = ("source", "bytecode")
WORKSPACES = (
    Workspace(
        "explore",
        tr_noop("Explore"),
        tr_noop("Your code, every stage that torch makes of it, and what is known of what you select"),
        (("pipeline",), _CODE),
        bottom=("inspector", "code"),
        bottom_share=0.38,
    ),
    Workspace(
        "breaks",
        tr_noop("Breaks"),
        tr_noop("Where and why Dynamo stopped, and remedies that are tried on a copy of your program"),
        (_CODE,),
        bottom=("breaks", "inspector"),
        bottom_share=0.52,
    ),
    Workspace(
        "edit",
        tr_noop("Edit"),
        tr_noop("Change nodes, fusions and kernels, recompile, and go back to any state"),
        (("pipeline",),),
        side=(("inspector",), ("code",)),
        bottom=("history", "partition", "patterns", "source"),
        bottom_share=0.3,
    ),
    Workspace(
        "performance",
        tr_noop("Performance"),
        tr_noop("What the time goes to, by line, kernel and part of the step"),
        (("source",),),
        bottom=("timings", "guards", "partition", "inspector"),
        bottom_share=0.54,
    ),
    Workspace(
        "run",
        tr_noop("Run"),
        tr_noop("A program that runs by itself: its compiles, their causes, its steps, its processes"),
        (("source",),),
        bottom=("run", "ranks", "output"),
        bottom_share=0.54,
        wide_bottom=True,
    ),
    Workspace(
        "teach",
        tr_noop("Teach"),
        tr_noop("From a line of code to the graph and to the generated code; Ctrl+= makes the text larger"),
        (_CODE,),
        bottom=("code", "inspector"),
        bottom_share=0.5,
    ),
)


def workspace_of(name: str) -> Workspace:
    """By its id; the first one where there is none of that name."""
    return next((found for found in WORKSPACES if found.id == name), WORKSPACES[0])
