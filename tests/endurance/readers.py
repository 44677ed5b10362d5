"""Every reader of a file that may be a stranger's: what is changed for it, and what is asked of it."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from random import Random

from app.session.edit_history.journal_lines import read_journal
from compiler.analysis.diff.edit_migration import carry_edits
from compiler.analysis.session_file.session_file import SessionFileError, read_with_digest
from compiler.analysis.session_file.what_runs import what_runs
from compiler.command_line.session_io import read_edits
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.edits import describe_edit
from compiler.model.ir.gpu_target import find_target
from compiler.model.protocol.frames import BadFrameError, FrameReader
from compiler.model.protocol.worker_output import WorkerOutput
from tests.endurance.mutations import changed_bytes, changed_json, changed_session
from tests.endurance.real_files import members_of
from tests.helpers import sample_capture

Change = Callable[[Random, Path], tuple[str, bytes]]
Read = Callable[[Path], bool]
_TOO_LARGE = 0.005
"""Share of files that are larger than their kind may be."""
_SMALL, _LARGE = 1 << 20, 32 << 20
"""Bytes of a journal whose lines are made more, and of what is made of it."""


def change_session(random: Random, path: Path) -> tuple[str, bytes]:
    return changed_session(random, members_of(path))


def change_lines(random: Random, path: Path) -> tuple[str, bytes]:
    """A journal: lines of it changed, left out, made twice, moved, made thousands of times."""
    if random.random() < _TOO_LARGE:
        return "large", path.read_bytes() + random.choice((b" " * (65 << 20), b"," * 5_100_000))
    lines = path.read_bytes().splitlines()
    for _ in range(random.choice((1, 1, 3, 20))):
        at = random.randrange(len(lines))
        match random.choice(("value", "value", "bytes", "lost", "twice", "moved", "often")):
            case "value":
                lines[at] = changed_json(random, lines[at]).replace(b"\n", b" ")
            case "bytes":
                lines[at] = changed_bytes(random, lines[at])
            case "lost" if len(lines) > 1:
                del lines[at]
            case "twice":
                lines.insert(random.randrange(len(lines)), lines[at])
            case "often" if sum(map(len, lines)) < _SMALL:
                some = lines[max(at - 2, 0) : at + 1]
                most = _LARGE // (sum(map(len, some)) + 1)
                lines[at:at] = some * min(random.choice((3, 30, 30, 300, 300, 10_000)), most)
            case _:
                lines.append(lines.pop(at))
    return "lines", b"\n".join(lines)


def change_recipe(random: Random, path: Path) -> tuple[str, bytes]:
    if random.random() < _TOO_LARGE:
        return "large", path.read_bytes() + random.choice((b" " * (65 << 20), b"," * 5_100_000))
    return change_text(random, path)


def change_text(random: Random, path: Path) -> tuple[str, bytes]:
    data = path.read_bytes()
    return (
        ("bytes", changed_bytes(random, data))
        if random.random() < 0.2
        else ("values", changed_json(random, data))
    )


def change_log(random: Random, path: Path) -> tuple[str, bytes]:
    data = path.read_bytes()
    for _ in range(random.choice((1, 4))):
        data = changed_bytes(random, data)
    return "bytes", data


def read_session_file(path: Path) -> bool:
    """What opening does before anything is shown: decoding, checking, and what the question of trust would say."""
    try:
        data, _ = read_with_digest(path)
    except SessionFileError as error:
        return _refused(str(error))
    assert what_runs(data) or not data.captures
    return True


def read_journal_file(path: Path) -> bool:
    journal = read_journal(path)
    if journal is not None:
        assert len(journal.applied) <= len(journal.tree.states)
    return journal is not None


def read_recipe_file(path: Path) -> bool:
    """Reading it, and finding its nodes in a program."""
    try:
        recipe, _ = read_edits(path)
    except CommandFailedError as error:
        return _refused(error.problem.what)
    fresh = sample_capture.capture()
    carried = carry_edits(recipe.edits, recipe.made_on or fresh, fresh)
    for edit, why in carried.others:
        assert describe_edit(edit)
        assert why
    return True


def read_gpu_file(path: Path) -> bool:
    """The description; and its beginning, its name and a file that is gone taken for a GPU, as a session may name any of them."""
    for text in (
        path.read_bytes()[:40].decode("utf-8", "replace"),
        path.stem,
        str(path.with_name("gone.json")),
    ):
        try:
            assert find_target(text).id
        except ValueError as error:
            _refused(str(error))
    try:
        target = find_target(str(path))
    except ValueError as error:
        return _refused(str(error))
    return bool(target.id)


def read_log(path: Path) -> bool:
    """What a program prints, and what it writes to the engine's socket, in pieces as they arrive."""
    data = path.read_bytes()
    output, frames = WorkerOutput(), FrameReader()
    shown = 0
    with contextlib.suppress(BadFrameError):
        for start in range(0, len(data), 4096):
            shown += len(output.feed(data[start : start + 4096]))
            frames.feed(data[start : start + 4096])
    return shown > 0


def _refused(why: str) -> bool:
    """Nothing is refused without a reason."""
    assert why
    return False


READERS: dict[str, tuple[Change, Read]] = {
    "session files": (change_session, read_session_file),
    "journals": (change_lines, read_journal_file),
    "recipes": (change_recipe, read_recipe_file),
    "GPU files": (change_text, read_gpu_file),
    "logs": (change_log, read_log),
}
