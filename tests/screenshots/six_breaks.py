"""The README's first tour: a model with six graph breaks, fixed with what the window offers and nothing else."""

from pathlib import Path

from compiler.analysis.remedies import Remedy, remedies_for
from tests.screenshots.stage_hand import StageHand

STEPS = (
    "capture_scalar_outputs",
    "torch.where",
    "disable",
    "Let print run after",
    "info",
    "capture_dynamic_output_shape_ops",
)
"""A word of the remedy that is taken, in the order in which the list asks for them."""


def take_pictures(hand: StageHand, examples: Path, pictures: Path) -> None:
    """Six breaks, a trial, no breaks."""
    session = hand.session
    hand.capture("six_breaks.py:SixBreaks", examples)
    pane = hand.pane("breaks")
    session.breaks.measure()
    hand.until(lambda: session.breaks.found is not None)
    pane.list.table.make_current(pane.list.rows[0].first.id)
    hand.picture(pictures / "six-breaks.png")
    for number, word in enumerate(STEPS):
        remedy = _offered(hand, word)
        print(f"  {number + 1}. {remedy.title}")
        session.trials.choose(remedy)
        session.trials.start()
        hand.until(lambda: not session.trials.running)
        if session.trials.problem is not None:
            raise RuntimeError(f"{session.trials.problem.message()}\n{session.trials.problem.detail}")
        if word == "torch.where":
            hand.pane("trial")
            hand.picture(pictures / "six-breaks-trial.png")
        before = session.capture
        session.trials.keep()
        hand.until(lambda before=before: session.capture is not before and not session.busy)
    hand.pane("breaks")
    hand.picture(pictures / "six-breaks-none.png")


def _offered(hand: StageHand, word: str) -> Remedy:
    """The remedy with this word among those of the breaks that are left."""
    capture = hand.session.capture
    rows = hand.pane("breaks").list.rows
    offered = [remedy for row in rows for remedy in remedies_for(capture, row.first)] if capture else []
    return next(remedy for remedy in offered if word in remedy.title)
