"""``python -m tests.compiler.engine.causes.tracker_bugs [NUMBER…]``: bugs of torch's issue tracker that this torch still has,
found, made smaller, and the file run by torch alone. One row each; nothing is planted.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.causes.shrink import shrink
from compiler.engine.errors import EngineError
from compiler.engine.failures.find_failure import find_failure
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.experiments.causes import EAGER, FLOAT64, FindCause
from compiler.model.experiments.failures import FindFailure
from compiler.model.ir.diagnostics import Severity
from compiler.worker.failure_trials import ChildTrials
from tests.helpers.finished_process import ran

PROGRAMS = Path(__file__).parents[3] / "data" / "tracker_bugs.py"


class Bug(NamedTuple):
    """An issue of pytorch/pytorch."""

    number: int
    closed: bool
    inputs: str
    against: str = FLOAT64
    """`EAGER` where float64 does not have the overflow that is wrong."""


BUGS = (
    Bug(197829, True, "torch.randn(6, 4)"),
    Bug(187018, True, "torch.tensor([200, 200], dtype=torch.uint8)"),
    Bug(183763, True, "torch.tensor([88.85, 89.2, 88.95, -89.0])"),
    Bug(183765, True, "torch.tensor([88.85, 88.9, 89.1, -89.2])"),
    Bug(183767, True, "torch.tensor([3e22, 7e25, -8e23, 1e10])"),
    Bug(172062, True, "*(torch.randn(1, 12, dtype=torch.float64) * 0.1 for _ in range(3))"),
    Bug(
        183083,
        True,
        "torch.tensor([-4.0, -1.5, 0.1, 1.0, 3.140625, 8.0], dtype=torch.float16)",
        EAGER,
    ),
    Bug(
        188048,
        True,
        "torch.tensor([nan, inf, -inf], dtype=torch.float64), torch.ones(3, dtype=torch.float64)",
        EAGER,
    ),
    Bug(189518, True, "torch.zeros(1)"),
    Bug(197434, True, "torch.randn(2, 4, 12, 12)"),
    Bug(190272, True, "torch.randn(1, 16, 32, 32, dtype=torch.float64)"),
    Bug(185464, True, "torch.tensor([[1.0, -1.0, 0.5, 0.3, -0.2]]), torch.tensor([[0, 1, -1, -1, -1]])"),
    Bug(183986, True, "torch.ones(3, 8), torch.tensor([0, 1, 0])"),
    Bug(188084, True, "torch.randn(4, 4, dtype=torch.float64)"),
    Bug(187580, True, "torch.tensor([nan, inf, -inf, 1.0])"),  # the pull request that corrects it
    Bug(185382, True, "torch.randn(8), torch.randn(8)"),
    Bug(198134, False, "torch.full((16,), 1e200, dtype=torch.float64)"),
    Bug(198094, False, "torch.randn(4, 6), torch.randn(4, 6)"),
    Bug(198131, False, "torch.zeros(3, 4), torch.randn(3, 4)"),
    Bug(198270, False, "torch.rand(4, 8)"),
    Bug(198057, False, "torch.tensor([5.5, -5.5] * 8), torch.tensor([inf, -inf] * 8)", EAGER),
    Bug(198081, False, "torch.tensor([[0, 3], [0, 0]], dtype=torch.uint8)"),
    Bug(183768, False, "torch.tensor([5e22, 9e25, 7e21, 2.0])"),
    Bug(178964, False, "torch.randn(8, 8), torch.randn(8, 8)"),
    Bug(196681, False, "torch.randn(1, 8, 66, 66)"),
    Bug(188228, False, "torch.rand(3, 16)"),
)


class Row(NamedTuple):
    """What came of one."""

    number: int
    closed: bool
    sentence: str
    seconds: float
    """Until the cause was reported."""
    before: int | None = None
    after: int | None = None
    shows: str = ""

    @property
    def text(self) -> str:
        """A row of Markdown."""
        state = "closed" if self.closed else "open"
        nodes = f"{self.after} of {self.before}" if self.after is not None else "–"
        return (
            f"| {self.number} | {state} | {self.sentence} | {self.seconds:.0f} s | {nodes} | {self.shows} |"
        )


def looked_at(bug: Bug, trials: ChildTrials) -> Row:
    """Find, shrink, run."""
    spec = CaptureSpec(TargetSpec(f"{PROGRAMS}:i{bug.number}", inputs=bug.inputs))
    started = time.perf_counter()
    if bug.number == 196681:  # it ends the process
        return _failing(bug, spec, trials)
    program = EditedProgram(make_capture(spec, "c1", lambda text: None))
    if any(problem.severity is Severity.ERROR for problem in program.base.capture.problems):
        return _failing(bug, spec, trials)
    found = find_cause(program, FindCause("c1", against=bug.against), lambda text: None)
    row = Row(bug.number, bug.closed, found.sentence, time.perf_counter() - started)
    if not found.wrong:
        return row
    try:
        least = shrink(program, (), found, lambda text: None)
    except EngineError as error:
        return row._replace(shows=error.problem.what)
    return row._replace(before=least.before, after=least.after, shows=_alone(least.text))


def _failing(bug: Bug, spec: CaptureSpec, trials: ChildTrials) -> Row:
    found = find_failure(FindFailure(spec, 60.0), trials, lambda text: None)
    seconds = found.seconds - (found.least.seconds if found.least is not None else 0.0)
    row = Row(bug.number, bug.closed, found.sentence, seconds, shows=found.why_not)
    if found.least is None:
        return row
    return row._replace(before=found.least.before, after=found.least.after, shows=found.least.shows)


def _alone(text: str) -> str:
    """What ``python -I FILE.py`` does with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "least.py"
        path.write_text(text)
        done = ran([sys.executable, "-I", str(path)])
    if done.returncode == 0:
        return "by itself it is right"
    return "fails alone" if "compiled code is wrong" in done.stderr else done.stderr.strip().splitlines()[-1]


def main(numbers: list[str]) -> None:
    """Print the table."""
    with ChildTrials() as trials:
        for bug in BUGS:
            if numbers and str(bug.number) not in numbers:
                continue
            try:
                row = looked_at(bug, trials)
            except EngineError as error:
                row = Row(bug.number, bug.closed, error.problem.what, 0.0)
            print(row.text, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
