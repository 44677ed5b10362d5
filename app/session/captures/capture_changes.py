"""What changed from the capture before to the one that is open."""

from PySide6.QtCore import QObject, Signal

from app.session.captures.recapture_mapping import Succession
from compiler.analysis.diff.diff_summary import summary
from compiler.analysis.diff.edit_migration import CarriedEdits, carry_edits
from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import CaptureDiff, compare_captures
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import StageId


class CaptureChanges(QObject):
    """Keeps the capture before, for comparing, as long as the same program is open."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.before: Capture | None = None
        self.after: Capture | None = None
        self.diff: CaptureDiff | None = None
        self.carried: tuple[Edit, ...] = ()
        """Edits of the capture before that were made again."""
        self._stages: frozenset[StageId] = frozenset()
        self._lines: dict[str, tuple[frozenset[int], frozenset[int]]] = {}

    def follow(
        self, before: Capture | None, after: Capture, edits: tuple[Edit, ...]
    ) -> tuple[Succession | None, CarriedEdits]:
        """A capture takes the place of one: what became of it and of its edits, if it is of the same program.

        `publish` informs everybody.
        """
        if before is None or _program(before) != _program(after):
            self.clear()
            return None, CarriedEdits()
        self.before, self.after = before, after
        self.diff = compare_captures(before, after)
        self.carried = ()
        self._stages = self.diff.changed_stages()
        self._lines = {
            change.path: (frozenset(change.new_lines), frozenset(change.gone_after))
            for change in self.diff.files
        }
        moves = Succession(before, after, self.diff)
        return moves, carry_edits(edits, before, after)

    def clear(self) -> None:
        """Another program is open: there is nothing to compare."""
        self.before = self.after = self.diff = None
        self.carried = ()
        self._stages, self._lines = frozenset(), {}

    def publish(self, carried: tuple[Edit, ...] = ()) -> None:
        """The session shows what was compared; these edits of before were made again."""
        self.carried = carried
        self.changed.emit()

    @property
    def words(self) -> str:
        """What changed, in one line; empty where nothing was compared."""
        return summary(self.diff) if self.diff is not None else ""

    def is_changed(self, stage_id: StageId) -> bool:
        """Whether a stage is new, or says something else than in the capture before."""
        return stage_id in self._stages

    def new_breaks(self, capture: Capture | None) -> frozenset[str]:
        """Ids of the breaks of a capture that the one before did not have."""
        if self.diff is None or self.after is None or capture is None or capture.id != self.after.id:
            return frozenset()
        return frozenset(item.id for item in self.diff.breaks.new)

    def new_lines(self, path: str) -> frozenset[int]:
        """Lines of a file, from 1, that are new or were touched."""
        return self._lines.get(path, (frozenset(), frozenset()))[0]

    def gone_after(self, path: str) -> frozenset[int]:
        """Lines of a file behind which lines are gone; 0: at its beginning."""
        return self._lines.get(path, (frozenset(), frozenset()))[1]


def _program(capture: Capture) -> tuple[str, str, int]:
    """Other ranks of a plan are not what became of this one."""
    spec = capture.spec
    return spec.target.name, spec.target.folder, spec.parallel.rank if spec.parallel is not None else 0
