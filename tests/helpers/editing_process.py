"""A session that edits at random until it is killed. Run as a program: ``editing_process.py FOLDER SEED [SURROUNDINGS]``.

It takes up what the session before left, then prints, after each step, how many steps it made and what its tree of edits
reads as; whoever reads that line may count on finding it in the journal, unless ``unreported`` follows: the person was told that
edits cannot be written now. Surroundings: ``full`` (a disk that is full at times), ``read-only`` (a folder that takes no new files at times), ``jumping`` (a clock that jumps), or a planted fault, ``silent`` (a full disk that nobody is told of).
"""

import errno
import hashlib
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
from PySide6.QtCore import QCoreApplication

from app.session.facade.session import Session
from compiler.analysis.edits.history_tree import EditTree
from compiler.model.edits.edits import Edit, InsertNode, SetArgument
from compiler.model.ir.arguments import ConstantArgument
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture

STAGE = sample_capture.DYNAMO
_NOW, _FORMAT, _OPEN = time.time, time.strftime, os.open


def digest_of(tree: EditTree) -> str:
    """What a tree of edits is recognised by."""
    return hashlib.sha256(msgspec.json.encode(tree)).hexdigest()[:16]


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    surroundings = sys.argv[3] if len(sys.argv) > 3 else ""
    _app = QCoreApplication([])
    chance = random.Random(seed)
    engine = FakeEngine()
    session = Session(engine, journals=folder)
    open_capture(session, sample_capture.capture())
    _change_surroundings(surroundings, folder, chance, often=1)
    for journal in session.recovery.recoverable()[:1]:
        session.recovery.recover(Path(journal.path))
    print("recovered", digest_of(session.states.tree), flush=True)
    number = 0
    while True:
        _change_surroundings(surroundings, folder, chance, often=0.1)
        _step(session, chance)
        number += 1
        unreported = " untold" if session.recovery.behind and surroundings != "silent" else ""
        print(number, digest_of(session.states.tree) + unreported, flush=True)


def _change_surroundings(kind: str, folder: Path, chance: random.Random, often: float) -> None:
    """Every few steps; nothing lasts."""
    if chance.random() > often:
        return
    well = chance.random() < 0.5
    if kind in ("full", "silent"):
        sizes = [path.stat().st_size for path in folder.glob("*.jsonl")]
        most = resource.RLIM_INFINITY if well else chance.choice((0, *sizes)) + chance.randint(0, 300)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    elif kind == "read-only":
        folder.chmod(0o700 if well else 0o500)
        os.open = _OPEN if well else _open_refusing(folder)  # root may write into any folder
    elif kind == "jumping":
        offset = chance.uniform(-3e7, 3e7)
        time.time = lambda: _NOW() + offset
        time.strftime = lambda form: _FORMAT(form, time.localtime(time.time()))  # type: ignore[assignment]


def _open_refusing(folder: Path) -> Callable[..., int]:
    def opened(path: str | os.PathLike[str], flags: int, *rest: int, **named: int) -> int:
        if flags & os.O_CREAT and Path(path).parent == folder:
            raise PermissionError(errno.EACCES, "planted", str(path))
        return _OPEN(path, flags, *rest, **named)

    return opened


def _step(session: Session, chance: random.Random) -> None:
    states = [state.id for state in session.states.tree.states]
    what = chance.choice(("edit", "edit", "edit", "edit", "undo", "undo", "redo", "go", "name", "drop"))
    if what == "undo":
        session.undo()
    elif what == "redo":
        session.redo()
    elif what == "go" and states:
        session.states.go_to(chance.choice(["", *states]))
    elif what == "name" and states:
        session.states.name(chance.choice(states), f"try {chance.randint(0, 99)}")
    elif what == "drop" and len(states) > 40:
        session.states.drop(chance.choice(states))
    else:
        session.make_edit(_edit(session, chance))


def _edit(session: Session, chance: random.Random) -> Edit:
    graph = session.stage_with_edits(STAGE).graph
    assert graph is not None
    if chance.random() < 0.5:
        name = f"n{chance.randint(0, 10_000)}"
        return InsertNode(STAGE, sample_capture.node(name, "torch.tanh", "y"), graph.index("y") + 1, ())
    value = ConstantArgument("float", repr(chance.random()))
    return SetArgument(STAGE, "mul", ("args", "1"), value)


if __name__ == "__main__":
    main()
