"""A session that edits at random until it is killed. Run as a program: ``editing_process.py FOLDER SEED``.

It takes up what the session before left, then prints, after each step, how many steps it made and what its tree of edits
reads as; whoever reads that line may count on finding it in the journal.
"""

import hashlib
import os
import random
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
from PySide6.QtCore import QCoreApplication

from app.session.facade.session import Session
from compiler.analysis.edits.history_tree import EditTree
from compiler.model.edits.edits import Edit, InsertNode, SetArgument
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

STAGE = sample_capture.DYNAMO


def digest_of(tree: EditTree) -> str:
    """What a tree of edits is recognised by."""
    return hashlib.sha256(msgspec.json.encode(tree)).hexdigest()[:16]


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    _app = QCoreApplication([])
    chance = random.Random(seed)
    engine = FakeEngine()
    session = Session(engine, journals=folder)
    session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    for journal in session.recovery.recoverable()[:1]:
        session.recovery.recover(Path(journal.path))
    print("recovered", digest_of(session.states.tree), flush=True)
    number = 0
    while True:
        _step(session, chance)
        number += 1
        print(number, digest_of(session.states.tree), flush=True)


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
