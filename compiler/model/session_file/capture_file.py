"""A capture kept in a file beside what was found out about it, to be shown later without being made again."""

from pathlib import Path

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.stage import SourceStage
from compiler.model.session_file.shared_decoding import SharingDecoder

LARGEST = 256 << 20
"""Bytes; a capture that is larger is not kept."""
_DECODER: SharingDecoder[Capture] = SharingDecoder(Capture, msgspec.msgpack.Decoder)


def keep_capture(capture: Capture, path: Path) -> bool:
    """Write it; False where it is too large, and then there is no file. Raises OSError."""
    data = msgspec.msgpack.encode(capture)
    if len(data) > LARGEST:
        return False
    partial = path.with_suffix(".part")
    partial.write_bytes(data)
    partial.rename(path)
    return True


def read_kept(path: str, spec: CaptureSpec) -> Capture | None:
    """The capture of `spec` that was kept there; None where there is none, or the user's files are others by now."""
    if not path:
        return None
    try:
        capture = _DECODER.decode(Path(path).read_bytes(), _DECODER.shared())
        same = all(
            Path(stage.content.file.path).read_text(encoding="utf-8", errors="replace")
            == stage.content.file.text
            for stage in capture.stages
            if isinstance(stage.content, SourceStage)
        )
    except (OSError, ValueError, *UNREADABLE):
        return None
    return capture if same and capture.spec == spec else None
