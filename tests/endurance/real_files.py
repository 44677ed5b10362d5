"""Real files of each kind, made once: sessions captured by the command line, journals of a window that was killed, recipes."""

import importlib.util
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path

import msgspec

from app.session.edit_history.journal_lines import (
    Adopted,
    Dropped,
    Heading,
    JournalLine,
    Made,
    Named,
    Redone,
    Undone,
    Went,
)
from compiler.analysis.edits.history_tree import line_of_edits
from compiler.analysis.queries.graph_view_state import GraphLooks
from compiler.analysis.session_file.session_file import Journal, SessionData, write_session
from compiler.model.edits.edits import BypassNode, Edit, EditGroup, InsertNode, ReplaceTarget, SetArgument
from compiler.model.edits.recipe_file import made_recipe, recipe_text
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.timing.timings import TimingReport
from tests.endurance.rich_capture import rich_capture
from tests.helpers import sample_capture

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("session files", "journals", "recipes", "GPU files", "logs")
_PROGRAMS = ("breaky.py:Breaky", "mlp.py:MLP")
"""Examples captured for real; a third file is written by hand, with every kind of member."""
_LOG = """V1122 23:52:15.1 4242 torch/_dynamo/guards.py:2769] [0/0] [__guards] GUARDS:
V1122 23:52:15.1 4242 torch/_dynamo/guards.py:2737] [0/0] [__guards] TREE_GUARD_MANAGER:
V1122 23:52:15.1 4242 torch/_dynamo/guards.py:2737] [0/0] [__guards] +- RootGuardManager
LOUPE-STACK begin
File "model.py", line 7 in forward
LOUPE-STACK end
V1122 23:52:16.0 4242 torch/_inductor/codecache.py:1] {"artifact": {"name": "fx", "encoding": "json"}, "rank": 0}
"""


def make_real_files(folder: Path, capture: bool = True) -> None:
    """Fill the folder: one folder of it for each kind. With `capture` real torch makes some of them, in seconds."""
    for kind in KINDS:
        (folder / kind).mkdir(parents=True, exist_ok=True)
    _sessions(folder / "session files", capture)
    _journal(folder / "journals")
    edits = _edits()
    recipes = folder / "recipes"
    (recipes / "recipe.json").write_text(recipe_text(made_recipe(edits, sample_capture.capture())))
    (recipes / "list.json").write_bytes(msgspec.json.encode(edits))
    for target in ("h100", "mi300x"):
        (folder / "GPU files" / f"{target}.json").write_bytes(msgspec.json.encode(TARGETS[target]))
    (folder / "logs" / "torch.log").write_text(_LOG * 40)


def real_files(folder: Path, kind: str) -> tuple[Path, ...]:
    """What is changed, in a fixed order."""
    return tuple(sorted(path for path in (folder / kind).iterdir() if path.suffix != ".lock"))


@cache
def members_of(path: Path) -> dict[str, bytes]:
    """The members of a session file, unpacked."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _sessions(folder: Path, capture: bool) -> None:
    made = sample_capture.capture()
    passes = msgspec.structs.replace(sample_capture.with_passes(), id="capture-2")
    rich = rich_capture()
    journals = (
        Journal(made.id, (*_edits(), EditGroup("both", _edits()[:2])), 1),
        Journal(passes.id, (), 0, line_of_edits(_edits(), 2)),
    )
    verdict = sample_capture.verdict()
    times = TimingReport(made.id, (), verdict.before, verdict.after, 2)
    data = SessionData(
        (made, passes, rich), journals, ((made.id, verdict),), (times,), GraphLooks(coloring="op")
    )
    write_session(folder / "a-sample.loupe", data)
    for program in _PROGRAMS if capture else ():
        name = program.partition(":")[2]
        subprocess.run(
            [sys.executable, "-m", "torch_loupe", "capture", f"resources/examples/{program}", "--train",
             "-o", str(folder / f"{name}.loupe")],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def _journal(folder: Path) -> None:
    """A window's, killed after 60 steps; where there is no Qt, one with the same kinds of lines."""
    written = _killed_window(folder) if importlib.util.find_spec("PySide6") is not None else _lines_by_hand()
    tree = line_of_edits(_edits(), 1)
    lines: tuple[JournalLine, ...] = (
        Adopted(tree),
        Named(tree.states[0].id, "a name"),
        Dropped(tree.states[1].id),
    )
    (folder / "journal.jsonl").write_bytes(written + _encoded(lines))


def _killed_window(folder: Path) -> bytes:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.editing_process", str(folder), "7"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    for _ in range(60):
        process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    (path,) = folder.glob("*.jsonl")
    written = path.read_bytes()
    path.unlink()
    return written


def _lines_by_hand() -> bytes:
    target = sample_capture.capture().spec.target
    tree = line_of_edits(_edits(), 2)
    heading = Heading(target.name, target.folder, "0" * 64, 1.7e9, tree=tree)
    made = tuple(Made(edit) for edit in _edits())
    return _encoded((heading, *made, Undone(), Undone(), Redone(), Went(tree.states[0].id), *made))


def _encoded(lines: tuple[JournalLine, ...]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def _edits() -> tuple[Edit, ...]:
    stage = sample_capture.DYNAMO
    return (
        ReplaceTarget(stage, "z", "call_function", "torch.sigmoid", sample_capture.args("y")),
        SetArgument(stage, "mul", ("args", "1"), ConstantArgument("float", "3.0")),
        InsertNode(stage, sample_capture.node("n1", "torch.tanh", "y"), 3, ()),
        BypassNode(stage, "z", "y"),
    )
