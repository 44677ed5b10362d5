"""The capture shown as one HTML file for people who have no Torch Loupe."""

from pathlib import Path

from app.session.files.file_writing import FileWriting
from app.translation.texts import tr
from compiler.analysis.session_file.session_data import SessionData
from compiler.model.capture.capture import Capture
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.timings import TimingReport
from compiler.model.timing.verdicts import Verdict


def shared_data(capture: Capture, verdict: Verdict | None, report: TimingReport | None) -> SessionData:
    """What is shared of a session: the capture shown, and what was judged and measured of it."""
    verdicts = ((capture.id, verdict),) if verdict is not None else ()
    return SessionData((capture,), verdicts=verdicts, timings=(report,) if report is not None else ())


class PageSharing(FileWriting):
    """Writes in the background, and reports what came of it."""

    def write(self, data: SessionData, path: Path, hide_code: bool) -> None:
        """Write the page of the session's last capture."""

        def work() -> int:
            from compiler.analysis.share.html_page import write_page  # only who shares a page needs it

            return write_page(path, data, hide_code)

        what = tr("without its code") if hide_code else tr("with its code")
        self._write(
            path,
            work,
            lambda size: tr("the capture {what} ({size})").format(what=what, size=describe_bytes(size)),
            tr("It is one file that any browser opens; it loads and sends nothing."),
        )
