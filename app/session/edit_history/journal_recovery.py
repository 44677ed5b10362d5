"""Writes the journal as the history changes, and offers what crashed sessions left behind."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.session.edit_history.edit_history import EditHistory, misfit
from app.session.edit_history.journal import EditJournal, journal_folder, left_behind, recoverable
from app.session.edit_history.journal_lines import (
    Adopted,
    Dropped,
    JournalLine,
    Made,
    Named,
    RecoverableJournal,
    Redone,
    Undone,
    Went,
    read_journal,
    replayed,
)
from app.translation.texts import tr
from compiler.analysis.edits.history_tree import EditTree
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, EditError
from compiler.model.ir.diagnostics import Problem, Severity


class JournalKeeping(QObject):
    """Follows an `EditHistory`. A full disk must not stop anybody's work, so that is reported once and no more."""

    problem_found = Signal(object)
    settled = Signal(object)
    """A Problem that is not what matters any more: the edits that it offers are there."""

    def __init__(self, history: EditHistory, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder or journal_folder()
        self._journal = EditJournal(self._folder)
        self._history = history
        self._capture: Capture | None = None
        self.behind = False
        """Whether the journal lacks what was done last, since it could not be written."""
        self._tree = EditTree()
        """What the journal says, or would say."""
        self.offered: tuple[RecoverableJournal, ...] = ()
        """What crashed sessions left for the capture that is open, as found when it was opened."""
        self._agreed = 0
        """How many states there were when the person let another program take the place of this one."""
        self._note: Problem | None = None
        """The one that reports them."""
        self._wanted: RecoverableJournal | None = None
        """Its edits are to be made as soon as its program is captured."""
        history.made.connect(self._on_made)
        history.undone.connect(lambda: self._write(Undone()))
        history.redone.connect(lambda: self._write(Redone()))
        history.went.connect(lambda state: self._write(Went(state)))
        history.named.connect(lambda state, name: self._write(Named(state, name)))
        history.dropped.connect(lambda state: self._write(Dropped(state)))

    def begin(self, capture: Capture, file: Path | None = None) -> None:
        """Edits that follow belong to this capture; those of the history as it is now are safe in a file, where there are any."""
        self._capture = capture
        self.behind, self._tree = False, self._history.tree
        self._agreed = self._tree.made
        self._journal.begin(capture, self._history.tree, file)

    def note_saved(self, file: Path | None) -> None:
        """All edits are in a file now: begin again from them."""
        if self._capture is not None:
            self.begin(self._capture, file)

    def close(self, keep: bool) -> None:
        """End the journal; `keep` it where its edits are neither saved nor given up."""
        self._journal.close(keep)

    def agree(self) -> None:
        """The edits that there are may go when another program, which is asked for now, takes the place of this one."""
        self._agreed = self._history.tree.made

    def keep_late(self) -> tuple[Problem, ...]:
        """The other program is there: what was edited since it was asked for is kept in the journal, and reported."""
        count = self._history.tree.made - self._agreed
        if self._capture is None or count <= 0:
            return ()
        self.close(keep=True)
        program = self._capture.spec.target.name
        what = tr("%n edit(s) of {program} came after another program was asked for.", None, count)
        remedy = tr("Nothing is lost: open {program} again and choose Recover edits in the Edit menu.")
        severity = Severity.WARNING
        return (Problem(what.format(program=program), remedy.format(program=program), severity=severity),)

    def recoverable(self) -> tuple[RecoverableJournal, ...]:
        """Edits of crashed sessions that fit the capture that is open."""
        return recoverable(self._folder, self._capture, self._history.edits) if self._capture else ()

    def left_behind(self) -> tuple[RecoverableJournal, ...]:
        """Edits of crashed sessions whose files can be opened, or whose programs can be captured again."""
        return left_behind(self._folder)

    def want(self, journal: RecoverableJournal) -> None:
        """Make its edits as soon as its file is open, or its program is captured."""
        self._wanted = journal

    def give_up(self, journal: RecoverableJournal) -> None:
        """Its edits are wanted no more."""
        Path(journal.path).unlink(missing_ok=True)

    def offers(self) -> Iterator[Problem]:
        """A note for the latest crashed session whose edits fit; those that are wanted are made."""
        self.offered, self._note = self.recoverable(), None
        wanted, target = self._wanted, self._capture.spec.target if self._capture is not None else None
        if wanted is not None and wanted.heading.spec is not None and wanted.heading.spec.target == target:
            self._wanted = None
            if any(journal.path == wanted.path for journal in self.offered):
                self.recover(Path(wanted.path))
                return
            yield Problem(
                tr("The edits of the session that ended unexpectedly do not fit: the graphs are others now."),
                tr("They stay in {path}.").format(path=wanted.path),
                severity=Severity.WARNING,
            )
        for journal in self.offered[:1]:
            self._note = Problem(
                tr("%n edit(s) that no file holds can be recovered.", None, journal.count),
                tr("Choose Recover edits in the Edit menu to make them again."),
                severity=Severity.NOTE,
                detail=journal.path,
            )
            yield self._note

    def recover(self, path: Path) -> None:
        """Bring the history to where a journal ended, or to where an edit does not fit, which is a problem."""
        journal = read_journal(path)
        if journal is None:
            return
        try:
            self._history.load_tree(journal.tree, compiled=False)
        except EditError as error:
            self.problem_found.emit(misfit(path.name, error))
            return
        if self._note is not None:
            self.settled.emit(self._note)
        self._write(Adopted(journal.tree))
        if self.behind:  # the old one is all there is of these edits
            return
        path.unlink(missing_ok=True)
        self.offered = tuple(other for other in self.offered if other.path != str(path))

    def _on_made(self, edit: Edit) -> None:
        self._write(Made(edit))

    def _write(self, line: JournalLine) -> None:
        """Where earlier steps could not be written, all states go in the place of this one, which is among them. They are what
        the lines make of one another, as for a reader: the history reports some steps before it makes them.
        """
        reported = self.behind
        self._tree = replayed(self._tree, line)
        try:
            self._journal.write(Adopted(self._tree) if self.behind else line)
            self.behind = False
        except OSError as error:
            self.behind = True
            if not reported:
                self.problem_found.emit(
                    Problem(
                        tr("Edits cannot be written to the journal: {error}.").format(error=error),
                        tr(
                            "Make room or grant access in {folder}; until then a crash would lose them."
                        ).format(folder=self._folder),
                        severity=Severity.WARNING,
                    )
                )
