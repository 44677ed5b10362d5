"""Session files (``.loupe``): a zip of JSON, versioned, written whole or not at all. Opening one runs no code.

Layout: ``manifest.json`` (format, version), ``captures/<n>/capture.json`` (everything but the stages' contents),
``captures/<n>/stages/<m>.json`` (one stage each), ``journal.json`` (edits, with what is undone), ``results.json``,
``looks.json`` (what is hidden, filters, colours, kept views; older files have none).
"""

import os
import tempfile
import zipfile
import zlib
from pathlib import Path

import msgspec

from compiler.model.capture import Capture
from compiler.model.checks import check_capture
from compiler.model.edit_tree import EditTree
from compiler.model.edits import Edit
from compiler.model.graph_looks import GraphLooks, read_looks
from compiler.model.ids import CaptureId
from compiler.model.stage import Stage
from compiler.model.timings import TimingReport
from compiler.model.verdicts import Verdict

FORMAT = "torch-loupe session"
VERSION = 1
LARGEST_TOTAL = 2 << 30
"""Bytes of all members together when unpacked."""
LARGEST_RATIO = 400
"""Unpacked to packed size of one member; JSON of graphs reaches about 40."""
MOST_MEMBERS = 100_000


class SessionFileError(ValueError):
    """The file is not a session file that can be opened. The message says why and what to do."""


class Journal(msgspec.Struct, frozen=True):
    """Edits of one capture in the order they were made; the last `undone` of them are undone."""

    capture: CaptureId
    edits: tuple[Edit, ...] = ()
    undone: int = 0
    tree: EditTree | None = None
    """Every state there was, where there are branches or names; `edits` is the way to its tip."""

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The edits in force."""
        return self.edits[: len(self.edits) - self.undone]


class SessionData(msgspec.Struct, frozen=True):
    """Everything a session file holds. The first capture is the one loaded; the rest are recompiles of it."""

    captures: tuple[Capture, ...]
    journals: tuple[Journal, ...] = ()
    verdicts: tuple[tuple[CaptureId, Verdict], ...] = ()
    timings: tuple[TimingReport, ...] = ()
    looks: GraphLooks | None = None
    """How the graphs were looked at; None where nobody noted it."""
    left_out: tuple[str, ...] = ()
    """What of the file could not be read and is of no weight, in words. Never written."""


class _Manifest(msgspec.Struct, frozen=True):
    format: str
    version: int
    captures: int
    stages: tuple[int, ...]


class _Results(msgspec.Struct, frozen=True):
    verdicts: tuple[tuple[CaptureId, Verdict], ...] = ()
    timings: tuple[TimingReport, ...] = ()


_MANIFEST = msgspec.json.Decoder(_Manifest)
_CAPTURE = msgspec.json.Decoder(Capture)
_STAGE = msgspec.json.Decoder(Stage)
_JOURNALS = msgspec.json.Decoder(tuple[Journal, ...])
_RESULTS = msgspec.json.Decoder(_Results)
_ENCODER = msgspec.json.Encoder()
_LOOKS = "looks.json"


def write_session(path: Path, data: SessionData) -> None:
    """Write a session file in one step: a reader sees the old file or the new one. Raises OSError."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
                _write_members(archive, data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _write_members(archive: zipfile.ZipFile, data: SessionData) -> None:
    counts = tuple(len(capture.stages) for capture in data.captures)
    manifest = _Manifest(FORMAT, VERSION, len(data.captures), counts)
    archive.writestr("manifest.json", _ENCODER.encode(manifest))
    for number, capture in enumerate(data.captures):
        head = msgspec.structs.replace(capture, stages=())
        archive.writestr(f"captures/{number}/capture.json", _ENCODER.encode(head))
        for index, stage in enumerate(capture.stages):
            archive.writestr(f"captures/{number}/stages/{index}.json", _ENCODER.encode(stage))
    archive.writestr("journal.json", _ENCODER.encode(data.journals))
    archive.writestr("results.json", _ENCODER.encode(_Results(data.verdicts, data.timings)))
    if data.looks is not None:
        archive.writestr(_LOOKS, _ENCODER.encode(data.looks))


def read_session(path: Path) -> SessionData:
    """Read a session file. Raises SessionFileError for anything that is not one, and OSError."""
    with Path(path).open("rb") as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                _check_members(archive)
                return _read_members(archive)
        except SessionFileError:
            raise
        except zipfile.BadZipFile as error:
            raise SessionFileError(
                f"{path} is not a session file, or only part of one ({error}). Save or copy it again."
            ) from error
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise SessionFileError(
                f"{path} holds data of another shape than this version reads: {error}"
            ) from error
        except Exception as error:  # whatever zipfile and zlib make of bytes that a stranger chose
            raise SessionFileError(f"{path} is damaged ({error}). Save or copy it again.") from error


def _check_members(archive: zipfile.ZipFile) -> None:
    """Refuse what a hostile file would try, before anything is unpacked. Members are never written to disk."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise SessionFileError(f"The file has {len(members)} members; a session has at most {MOST_MEMBERS}.")
    if sum(member.file_size for member in members) > LARGEST_TOTAL:
        raise SessionFileError("The file unpacks to more than 2 GiB, so it was not opened.")
    for member in members:
        if member.file_size > LARGEST_RATIO * max(member.compress_size, 64):
            raise SessionFileError(
                f"{member.filename} unpacks to far more than it should, so it was not opened."
            )


def _read_members(archive: zipfile.ZipFile) -> SessionData:
    manifest = _MANIFEST.decode(_read(archive, "manifest.json"))
    if manifest.format != FORMAT:
        raise SessionFileError("The file is a zip, but not a session file.")
    if manifest.version > VERSION:
        raise SessionFileError(
            f"The file was written by a newer Torch Loupe (format {manifest.version}, this one reads {VERSION}). "
            "Update, or save it again from the older version."
        )
    if manifest.captures != len(manifest.stages) or min(manifest.stages, default=0) < 0:
        raise SessionFileError("The manifest contradicts itself; the file is damaged.")
    captures = []
    for number, count in enumerate(manifest.stages):
        head = _CAPTURE.decode(_read(archive, f"captures/{number}/capture.json"))
        stages = tuple(
            _STAGE.decode(_read(archive, f"captures/{number}/stages/{index}.json")) for index in range(count)
        )
        capture = msgspec.structs.replace(head, stages=stages)
        for fault in check_capture(capture):
            raise SessionFileError(f"The file contradicts itself: {fault}.")
        captures.append(capture)
    results = _RESULTS.decode(_read(archive, "results.json"))
    journals = _JOURNALS.decode(_read(archive, "journal.json"))
    if any(not 0 <= journal.undone <= len(journal.edits) for journal in journals):
        raise SessionFileError("The journal of edits contradicts itself; the file is damaged.")
    looks, left_out = _read_looks(archive)
    return SessionData(tuple(captures), journals, results.verdicts, results.timings, looks, left_out)


def _read_looks(archive: zipfile.ZipFile) -> tuple[GraphLooks | None, tuple[str, ...]]:
    """How the graphs were looked at. What is damaged of it costs a note, not the file."""
    if _LOOKS not in archive.namelist():
        return None, ()
    try:
        return read_looks(_read(archive, _LOOKS))
    except (
        msgspec.MsgspecError,
        zipfile.BadZipFile,
        zlib.error,
        ValueError,
        RuntimeError,
        EOFError,
    ) as error:
        return None, (f"how the graphs were looked at: {error}",)


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """One member, never more bytes than its header promised (the header may lie)."""
    with archive.open(name) as stream:
        limit = archive.getinfo(name).file_size
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise SessionFileError(f"{name} is larger than it says, so the file was not opened.")
    return data
