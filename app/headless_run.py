"""``loupe TARGET`` on a computer without a display: the whole tour as text, a session file and pictures."""

import contextlib
import io
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from compiler.analysis.session_file.session_file import read_session
from compiler.analysis.transforms.activations import relus, relus_to_gelus
from compiler.command_line import main
from compiler.command_line.folded_lines import FoldedLines
from compiler.model.edits.edits import Edit
from compiler.model.ir.stage import StageKind

OUT = Path("out")


def run(target: str, words: Sequence[str]) -> int:
    """Capture, show, time, edit, save and picture a program; gives the exit status of the first step that fails.

    `words` is what was typed: the target and the options of the capture.
    """
    print("There is no display, so this is the tour as text. Results go to ./out.", flush=True)
    OUT.mkdir(exist_ok=True)
    session = OUT / f"{_name_of(target)}.loupe"
    status = _step("Capture", ["capture", *words, "-o", str(session)])
    runs = status == 0 and not read_session(session).captures[0].spec.is_only_compiled
    if runs:
        status = _step("Timings", ["time", str(session)])
    if status:
        return status
    edit = _relu_edit(session)
    if not runs:
        print("\nNothing of it can be run here, so nothing is timed or edited.", flush=True)
    elif edit is None:
        print("\nThere is no relu in the Dynamo graphs, so nothing is edited.", flush=True)
    else:
        edits = OUT / "relu-to-gelu.json"
        edits.write_bytes(msgspec.json.encode([edit]))
        edited = OUT / f"{_name_of(target)}-edited.loupe"
        words = ["edit", str(session), "--edits", str(edits), "-o", str(edited)]
        if status := _step("Edit: every relu becomes a gelu", words):
            return status
        session = edited
    print("\n== Pictures ==", flush=True)
    from app import pictures

    return pictures.write_pictures(session, OUT)


def _step(title: str, words: list[str]) -> int:
    print(f"\n== {title} ==\n$ loupe {shlex.join(words)}", flush=True)
    # what the program prints comes first and is short, so that the table does not scroll away
    results, reported = io.StringIO(), FoldedLines(sys.stderr)
    try:
        with contextlib.redirect_stdout(results), contextlib.redirect_stderr(reported):
            status = main.main(words)
    finally:
        reported.finish()
        print(results.getvalue(), end="", flush=True)
    if status != 0:
        print(f"loupe: this step failed (exit {status}).", file=sys.stderr)
    return status


def _relu_edit(session: Path) -> Edit | None:
    """Every relu of the first Dynamo graph that has one, as gelu."""
    for stage in read_session(session).captures[0].of_kind(StageKind.DYNAMO_GRAPH):
        if stage.graph is not None and relus(stage.graph):
            return relus_to_gelus(stage.id, stage.graph)
    return None


def _name_of(target: str) -> str:
    file, _, name = target.rpartition(":")
    return f"{Path(file).stem or 'model'}-{name}"
