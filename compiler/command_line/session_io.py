"""Reading, extending and writing session files for the commands."""

import hashlib
import re
import sys
from pathlib import Path

import msgspec

from compiler.analysis.diff.edit_migration import carry_edits
from compiler.analysis.queries import stage_lookup
from compiler.analysis.session_file.session_file import (
    Journal,
    SessionData,
    SessionFileError,
    read_with_digest,
    write_session,
)
from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.command_line.written_files import not_written
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, not_to_be_run
from compiler.model.edits.edits import Edit, describe_edit
from compiler.model.edits.recipe_file import Recipe, read_recipe
from compiler.model.experiments.code_change import code_change
from compiler.model.ir.diagnostics import UNREADABLE, Problem
from compiler.model.ir.ids import CaptureId
from compiler.model.ir.stage import Stage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from compiler.model.session_file.nesting import too_deep
from compiler.model.session_file.reading_limits import TooLargeError, read_plain
from compiler.model.session_file.stage_checks import check_stage
from compiler.model.timing.verdicts import Verdict

_NAMES_A_PROGRAM = re.compile(r"^[^:]+:[A-Za-z_][\w.]*$")


def open_session(path: Path, gate: TrustGate) -> SessionData:
    """A session file's content; the gate asks before anything of it is executed. Raises CommandFailedError."""
    try:
        data, digest = read_with_digest(path)
    except SessionFileError as error:
        raise CommandFailedError(str(error), path=str(path)) from error
    except OSError as error:
        remedy = (
            f"It names a program: `loupe capture {path} -o FILE.loupe` makes a session file of it."
            if _NAMES_A_PROGRAM.search(str(path))
            else "Check the path."
        )
        problem = Problem(f"{path} cannot be read: {error.strerror}.", remedy, path=str(path))
        raise CommandFailedError(problem) from error
    if not data.captures:
        raise CommandFailedError(f"{path} holds no capture.", "Capture a target first.", path=str(path))
    gate.note_file(path, data, digest)
    for fault in data.left_out:
        sys.stderr.write(f"loupe: a part of {path} could not be read: {fault}\n")
    return data


def find_stage(capture: Capture, name: str) -> Stage:
    """The stage of that name (`stage_lookup`). Raises CommandFailedError."""
    try:
        return stage_lookup.find_stage(capture, name)
    except stage_lookup.StageNotFoundError as error:
        raise CommandFailedError(error.problem) from None


def save_session(path: Path, data: SessionData, gate: TrustGate) -> None:
    """Write a session file, and say what of it could not be read again. Raises CommandFailedError."""
    try:
        faults = write_session(path, data, own=gate.open)
    except SessionFileError as error:
        raise CommandFailedError(str(error), "Write it to another disk.", path=str(path)) from error
    except OSError as error:
        raise not_written(path, error.strerror) from error
    for fault in faults:
        sys.stderr.write(f"loupe: a part of what was written to {path} cannot be read again: {fault}\n")


def open_edits(path: Path, gate: TrustGate) -> Recipe:
    """Edits that are going to be made; the gate asks before code in them is executed. Raises CommandFailedError."""
    recipe, digest = read_edits(path)
    gate.note_edits(path, recipe.edits, digest)
    return recipe


def read_edits(path: Path) -> tuple[Recipe, str]:
    """A recipe, or a bare list of edits, from a JSON file, and the file's digest. Raises CommandFailedError with the place that is wrong."""
    try:
        data = read_plain(path)
        return _checked(read_recipe(data)), hashlib.sha256(data).hexdigest()
    except OSError as error:
        problem = Problem(f"{path} cannot be read: {error.strerror}.", "Check the path.", path=str(path))
        raise CommandFailedError(problem) from error
    except (*UNREADABLE, TooLargeError) as error:
        problem = Problem(
            f"{path} is not a list of edits: {error}.", "See resources/docs/edits-as-json.md.", path=str(path)
        )
        raise CommandFailedError(problem) from error


def _checked(recipe: Recipe) -> Recipe:
    """Without the stages that contradict themselves, whose edits are taken as they stand. Raises msgspec.ValidationError."""
    if too_deep(recipe.edits):
        raise msgspec.ValidationError("its edits are nested too deeply")
    made_on = recipe.made_on
    if made_on is None:
        return recipe
    kept = tuple(stage for stage in made_on.stages if next(check_stage(stage), None) is None)
    return msgspec.structs.replace(recipe, made_on=msgspec.structs.replace(made_on, stages=kept))


def fitting_edits(
    applied: tuple[Edit, ...],
    base: Capture,
    recipe: Recipe,
    fresh: Capture,
    skip: bool = False,
    remedy: str = "Correct these edits, or leave them out with --skip-unfit.",
) -> tuple[Edit, ...]:
    """The active edits in a session and those of a recipe, as edits of what the program gives now. With `skip`, those that
    do not fit any more are left out and reported on standard error. Raises CommandFailedError.
    """
    if recipe.made_on is None:
        carried = [carry_edits((*applied, *recipe.edits), base, fresh)]
    else:
        carried = [carry_edits(applied, base, fresh), carry_edits(recipe.edits, recipe.made_on, fresh)]
    lost = [f"{describe_edit(edit)}: {why}" for row in carried for edit, why in row.others]
    if lost and not skip:
        raise CommandFailedError(f"{'; '.join(lost)}.", remedy)
    for text in lost:
        sys.stderr.write(f"loupe: left out, {text}\n")
    return tuple(edit for row in carried for edit in row.fitting)


def capture_with(client: WorkerClient, spec: CaptureSpec, capture_id: str) -> Capture:
    """Have the worker make a capture. Raises CommandFailedError, at once where the program was recorded while it ran."""
    if spec.target.recorded:
        raise CommandFailedError(not_to_be_run(spec.target))
    return client.ask(MakeCapture(spec, capture_id), CaptureMade).capture


def print_failures(capture: Capture) -> bool:
    """What of a capture failed, on standard error. Returns whether anything did."""
    failures = capture.failures()
    for problem in failures:
        sys.stderr.write(f"loupe: {problem.message()}\n")
    return bool(failures)


def recompiled_with(
    client: WorkerClient, base: CaptureId, edits: tuple[Edit, ...], edited: CaptureId, judge: bool = True
) -> Recompiled:
    """Have the worker compile a capture of its with edits, run and judge it. Raises CommandFailedError."""
    return client.ask(Recompile(base, edits, edited, judge), Recompiled)


def with_edits(client: WorkerClient, capture: Capture, edits: tuple[Edit, ...]) -> Capture:
    """A capture with edits compiled, not judged; itself where there are none. Raises CommandFailedError."""
    if not edits:
        return capture
    return recompiled_with(client, capture.id, edits, "capture-2", judge=False).capture


def applied_edits(data: SessionData, capture_id: str) -> tuple[Edit, ...]:
    """Edits active in a session file for a capture."""
    for journal in data.journals:
        if journal.capture == capture_id:
            return journal.applied
    return ()


def verdict_on(data: SessionData, fresh: Capture, edits: tuple[Edit, ...]) -> Verdict | None:
    """The verdict on these edits, where a session's last capture is made with them and its program gives today, here, what it gave then.
    Of captures before, what they were made from may be in the file no more.
    """
    first, last = data.captures[0], data.captures[-1]
    if not edits or edits != applied_edits(data, last.id) or fresh.environment != first.environment:
        return None
    change = code_change(first, fresh)
    return dict(data.verdicts).get(last.id) if change.same and not change.graphs else None


def with_journals(data: SessionData, *journals: Journal) -> SessionData:
    """The session with these journals in place of their captures' old ones."""
    made = {journal.capture for journal in journals}
    others = (row for row in data.journals if row.capture not in made)
    return msgspec.structs.replace(data, journals=(*others, *journals))
