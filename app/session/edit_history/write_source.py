"""Writing a tried edit of the source to disk, when the person asks for it."""

import contextlib
import os
import tempfile
from pathlib import Path

from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import ReplaceSource, fingerprint
from compiler.model.graph_breaks.remedy import diff_text, text_of
from compiler.model.ir.diagnostics import Problem
from compiler.remote.machine import chosen


def write_to_file(change: ReplaceSource) -> Problem | None:
    """Put the new text into the user's file, if the file is still the one it is a change of.

    Gives what went wrong, or None.
    """
    path = Path(change.path)
    if (machine := chosen()) is not None:  # a file of that name here would be another one
        return Problem(
            tr("{path} is on {name}.").format(path=path, name=machine.name),
            tr("Save the change as a patch, and apply it there."),
        )
    try:
        if fingerprint(path.read_text(encoding="utf-8")) != change.on_disk:
            what = tr("{name} was changed since it was captured, so it was not written.").format(
                name=path.name
            )
            return Problem(what, tr("Capture it again and try the change again."), path=str(path))
        ends = "\r\n" if b"\r\n" in path.read_bytes() else "\n"
        _replace(path, change.text, ends)
    except (OSError, UnicodeError) as error:
        return Problem(
            tr("{path} cannot be written: {error}.").format(path=path, error=error),
            tr("Save the change as a patch."),
            path=str(path),
        )
    return None


def _replace(path: Path, text: str, line_ends: str) -> None:
    """Whole or not at all, with the mode it had."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline=line_ends) as file:
            file.write(text)
        os.chmod(name, path.stat().st_mode & 0o7777)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def save_patch(capture: Capture, change: ReplaceSource, path: Path) -> Problem | None:
    """Write the change as a patch of the file on disk, or, where that is another one by now, of the text captured.

    Gives what went wrong, or None.
    """
    before = text_of(capture, change.path) or ""
    with contextlib.suppress(OSError, UnicodeError):
        on_disk = Path(change.path).read_text(encoding="utf-8")
        before = on_disk if fingerprint(on_disk) == change.on_disk else before
    try:
        path.write_text(diff_text(change, before), encoding="utf-8")
    except OSError as error:
        return Problem(
            tr("{path} cannot be written: {strerror}.").format(path=path, strerror=error.strerror),
            tr("Choose another place."),
            path=str(path),
        )
    return None
