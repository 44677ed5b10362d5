"""A capture as scripts and notebooks handle it: look into, follow, edit, compile again, save, open."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from compiler.analysis.graph_export import networkx_graphs, text_formats
from compiler.analysis.queries.stage_lookup import find_stage
from compiler.analysis.session_file.session_file import Journal, SessionData
from compiler.analysis.text_format.visible_text import visible, visible_line
from compiler.api import runners
from compiler.api.errors import LoupeError, as_loupe_errors
from compiler.api.following import follow
from compiler.api.links import Links
from compiler.api.notebook import as_html
from compiler.api.stage import Stage
from compiler.command_line.reports.capture_report import stage_table, verdict_report
from compiler.command_line.session_io import applied_edits, fitting_edits, open_session, save_session
from compiler.command_line.trust_gate import TrustGate
from compiler.model.capture.capture import Capture as CaptureData
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import GraphBreak
from compiler.model.edits.edits import Edit, EditGroup, describe_edit
from compiler.model.edits.recipe_file import Recipe
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.loop_ir import Kernel
from compiler.model.timing.verdicts import Verdict as VerdictData

if TYPE_CHECKING:
    import networkx


class Verdict:
    """Whether edited code is right, and whether it is faster."""

    def __init__(self, data: VerdictData) -> None:
        self.data = data
        """Every comparison and time."""

    @property
    def right(self) -> bool | None:
        """Whether every result that was judged of the edited program is right; None where nothing was judged."""
        return self.data.right

    @property
    def summary(self) -> str:
        """One sentence."""
        return self.data.summary

    def __str__(self) -> str:
        return visible(verdict_report(self.data))

    def __repr__(self) -> str:
        return visible(f"<Verdict: {self.summary}>")

    def _repr_html_(self) -> str:
        return as_html(str(self))


class Capture:
    """One run of torch.compile with every stage it made, ``cap["joint"]``."""

    def __init__(
        self,
        data: CaptureData,
        runner: runners.Runner,
        base: CaptureData | None = None,
        edits: tuple[Edit, ...] = (),
        verdict: VerdictData | None = None,
    ) -> None:
        self.data = data
        """All of it as plain immutable data (`compiler.model`)."""
        self._runner = runner
        self._base = base or data
        self._edits = edits
        self._verdict = verdict

    @property
    def stages(self) -> tuple[Stage, ...]:
        """In the order of the pipeline."""
        return tuple(Stage(stage) for stage in self.data.stages)

    def __getitem__(self, name: str) -> Stage:
        """The stage of that id (``"0/0:joint"``), or the only one whose id ends so. Raises LoupeError with the names."""
        with as_loupe_errors():
            return Stage(find_stage(self.data, name))

    @property
    def breaks(self) -> tuple[GraphBreak, ...]:
        """Graph breaks: why, where, and how often."""
        return self.data.breaks

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """Every kernel with its source, in the order of the pipeline."""
        return tuple(kernel for stage in self.data.stages for kernel in stage.kernels)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What went wrong or is worth knowing."""
        return self.data.problems

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was edited since the program was captured."""
        return self._edits

    def follow(self, where: str, *nodes: str) -> Links:
        """What a line (``"model.py:16"``) or nodes of a stage (``"joint", "relu"``) became, and what they were made of."""
        with as_loupe_errors():
            return follow(self.data, where, nodes)

    def edit(self, *edits: Edit | Iterable[Edit]) -> "Edited":
        """The capture with edits, which `Edited.recompile` compiles; what a stage's `replace`, `edited` or `transform` gives."""
        flat = [edit for given in edits for edit in (given if isinstance(given, tuple | list) else (given,))]
        for edit in flat:
            if not isinstance(edit, Edit):
                what = f"{visible_line(repr(edit))} is no edit."
                raise LoupeError(what, 'Give what cap["dynamo"].replace, edited or transform gives.')
        return Edited(self, tuple(flat))

    def save(self, path: str | Path) -> Path:
        """Write a ``.loupe`` file that `open`, the window and every command read. Raises LoupeError."""
        captures = (self._base,) if self._base is self.data else (self._base, self.data)
        journals = (Journal(self._base.id, self._edits),) if self._edits else ()
        verdicts = ((self.data.id, self._verdict),) if self._verdict is not None else ()
        with as_loupe_errors():
            save_session(
                Path(path), SessionData(captures, journals=journals, verdicts=verdicts), self._runner.gate
            )
        return Path(path)

    def to_networkx(self) -> "networkx.MultiDiGraph":
        """All links between stages; a stage's own graph is ``cap["joint"].to_networkx()``."""
        return networkx_graphs.link_graph(self.data)

    def to_graphml(self) -> str:
        """All links between stages, for yEd, Gephi or Cytoscape."""
        return text_formats.graphml(self.to_networkx())

    def to_dot(self) -> str:
        """All links between stages, for Graphviz."""
        return text_formats.dot(self.to_networkx())

    def __str__(self) -> str:
        return visible(stage_table(self.data))

    def __repr__(self) -> str:
        name = visible_line(self.data.spec.target.name)
        return f"<Capture of {name}: {counted(len(self.data.stages), 'stage')}, {counted(len(self.kernels), 'kernel')}>"

    def _repr_html_(self) -> str:
        return as_html(str(self))

    def _recompiled(self, edits: tuple[Edit, ...], judge: bool) -> "tuple[Capture, Verdict | None]":
        wanted, base = (*self._edits, *edits), self._base
        with self._runner.turn:
            if not self._runner.holds(base.id):  # opened from a file, or something else was captured since
                fresh = self._runner.capture(base.spec, base.id)
                with as_loupe_errors():
                    wanted = fitting_edits(
                        wanted, base, Recipe(()), fresh, remedy="The program is another one now."
                    )
                base = fresh
            data, verdict = self._runner.recompile(base.id, wanted, runners.new_id(), judge)
        made = Capture(data, self._runner, base, wanted, verdict)
        return made, Verdict(verdict) if verdict is not None else None


class Edited:
    """A capture with edits that are not compiled yet."""

    def __init__(self, of: Capture, edits: tuple[Edit, ...]) -> None:
        self._of = of
        self.edits = edits
        """In the order in which they are made."""

    def edit(self, *edits: Edit | Iterable[Edit]) -> "Edited":
        """With more edits, of the same capture."""
        return Edited(self._of, (*self.edits, *self._of.edit(*edits).edits))

    def recompile(self, judge: bool = True) -> tuple[Capture, Verdict | None]:
        """Compile from the edited stage on; unless `judge` is False, run and judge it too. Raises LoupeError."""
        return self._of._recompiled(self.edits, judge)  # noqa: SLF001  the other half of Capture.edit

    def __str__(self) -> str:
        return visible("\n".join(_lines(self.edits)) or "no edits")

    def __repr__(self) -> str:
        return f"<Edited: {self}>"

    def _repr_html_(self) -> str:
        return as_html(str(self))


def _lines(edits: Iterable[Edit], indent: str = "") -> Iterator[str]:
    for edit in edits:
        yield indent + describe_edit(edit)
        if isinstance(edit, EditGroup):
            yield from _lines(edit.edits, indent + "  ")


def open(path: str | Path, *, trust: bool = False) -> Capture:  # noqa: A001  torch_loupe.open
    """The capture that was made last of a ``.loupe`` file; torch is not needed. Raises LoupeError.

    Opening runs nothing. Compiling again runs the file's program: for a file that was not written on this computer
    only with `trust`, or after a question where there is a terminal.
    """
    gate = TrustGate(trust)
    with as_loupe_errors():
        data = open_session(Path(path), gate)
    last, base = data.captures[-1], data.captures[0]
    edits = applied_edits(data, base.id) if last is not base else ()
    verdict = dict(data.verdicts).get(last.id)
    own = msgspec.structs.replace(last, id=runners.new_id()) if last is base else last
    runner = runners.InWorker(lambda text: None, gate=gate)
    return Capture(own, runner, own if last is base else base, edits, verdict)
