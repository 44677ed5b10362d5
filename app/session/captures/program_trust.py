"""Whether what is open may be executed: a program that the person named himself, or that of a file that is trusted."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.translation.texts import tr
from compiler.analysis.session_file.session_data import SessionData
from compiler.analysis.session_file.trusted_files import is_trusted, remember
from compiler.analysis.session_file.what_runs import Part, needs_agreement, what_runs
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.messages import DescribeTarget, MakeCapture, RequestBody


def not_run() -> Problem:
    """What is reported where a program that is not trusted would have been run."""
    return Problem(
        tr("The program of this session file was not run."),
        tr("Choose Trust… in the bar above if you trust where the file comes from, then ask again."),
        severity=Severity.NOTE,
    )


class ProgramTrust(QObject):
    """Trusted or restricted, for the whole session. Every engine of it asks `gate` before it sends anything."""

    changed = Signal()
    """`restricted` changed."""

    def __init__(self, contents: Callable[[], SessionData], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.confirm: Callable[[tuple[Part, ...]], bool] = lambda _parts: False
        """Shows the person all that would be executed, and asks."""
        self.restricted = False
        """Whether what is open came from a file that nobody agreed to."""
        self._contents = contents
        self._digest = ""
        self._named: set[CaptureSpec | TargetSpec] = set()
        self._asking = False

    def opened(self, digest: str) -> None:
        """A session file with these contents is open now."""
        self._digest = digest
        self._set(not is_trusted(digest))

    def captured(self) -> None:
        """What is open was made here, so its program was allowed to run."""
        self._digest = ""
        self._named.clear()
        self._set(False)

    def name(self, program: CaptureSpec | TargetSpec) -> None:
        """The person chose this program himself, in a form or when the window was started."""
        self._named.add(program)

    def gate(self, request: RequestBody) -> Problem | None:
        """Why a request is not sent. What would execute something of a restricted session is asked about first."""
        if not needs_agreement(self.restricted, request) or self._is_named(request):
            return None
        return None if self.allow(request) else not_run()

    def allow(self, request: RequestBody | None = None) -> bool:
        """Whether what is open may be executed; where it is restricted the person is asked, and it is trusted from then on."""
        if not self.restricted:
            return True
        if self._asking:
            return False  # the question is on the screen, and something went on behind it
        self._asking = True
        try:
            agreed = self.confirm(what_runs(self._contents(), request))
        finally:
            self._asking = False
        if agreed and self.restricted:
            remember(self._digest)
            self._set(False)
        return agreed

    def _is_named(self, request: RequestBody) -> bool:
        match request:
            case MakeCapture(spec=spec):
                return spec in self._named
            case DescribeTarget(target=target):
                return target in self._named
        return False

    def _set(self, restricted: bool) -> None:
        if restricted != self.restricted:
            self.restricted = restricted
            self.changed.emit()
