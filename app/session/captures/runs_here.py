"""Whether the program behind a capture can be run from here."""

from app.translation.texts import tr
from compiler.model.capture.capture import Capture


def why_not_run(capture: Capture | None) -> str:
    """In a sentence; empty where it can."""
    if capture is None:
        return tr("Capture a program first.")
    if capture.spec.is_only_compiled:
        return tr("Nothing of this capture runs here: it was only compiled.")
    if capture.spec.target.recorded:
        return tr("This was recorded while its program ran; it is not run again from here.")
    return ""
