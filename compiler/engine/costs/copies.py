"""The program captured again with a change, beside the one that runs: what every trial of a cost is made from."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.causes.right_results import still_right
from compiler.engine.causes.trials import first_line
from compiler.engine.costs.rows import parts_of
from compiler.engine.errors import EngineError
from compiler.engine.experiments.ab_trial import time_interleaved
from compiler.engine.experiments.shared_values import share_values
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.patch.graph_caches import nothing_built
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.program_changes import Change
from compiler.model.edits.edits import Edit
from compiler.model.experiments.costs import CostRow, CostTrial
from compiler.model.timing.paired_ratio import paired_ratio

ReportProgress = Callable[[str], None]
Emit = Callable[[CostTrial], None]
Measured = Callable[[tuple[Change, ...]], tuple[float, LiveCapture]]
"""Captures with changes and gives the cost."""

_STEP_SECONDS = 1.5
_SAVES = 0.03
"""What saves less the first time is not measured again."""
_EVERY = 3
"""So many changes are measured before it is measured again without any."""
ROUNDS = 3
_ALL = 0.9
_CONTAINERS = "ModuleList", "ModuleDict", "Sequential"


class Wanted(NamedTuple):
    """Something to try."""

    what: str
    changes: tuple[Change, ...]


class Copies:
    """Makes copies of a program and measures them."""

    def __init__(
        self, program: EditedProgram, edits: tuple[Edit, ...], report_progress: ReportProgress
    ) -> None:
        self.program = program
        self.report_progress = report_progress
        self._edits = edits

    @property
    def spec(self) -> CaptureSpec:
        """Of the program as it is."""
        return self.program.base.capture.spec

    def capture(self, changes: tuple[Change, ...], cold: bool = False) -> LiveCapture:
        """With changes beside those it has; `cold`: kernels that were built before are built again. Raises EngineError, also
        where torch.compile fails.
        """
        spec = msgspec.structs.replace(self.spec, changes=(*self.spec.changes, *changes))
        with nothing_built() if cold else contextlib.nullcontext():
            live = make_capture(spec, "copy", lambda text: None, alone=False)
        if failures := live.capture.failures():
            raise EngineError(failures[0])
        share_values(self.program.base.program, live.program)
        return live

    def tried(self, wanted: list[Wanted], measured: Measured, emit: Emit, rounds: int) -> list[CostTrial]:
        """Each change measured once, and what seems to help again, in turns with no change, `rounds` times: the first time does
        not count then. What it does to the step's time and results is reported of what helps.
        """
        found = []
        plain = measured(())[0] if wanted else 0.0
        for number, row in enumerate(wanted):
            self.report_progress(f"Trying on a copy: {row.what} ({number + 1} of {len(wanted)})")
            if number and not number % _EVERY:
                plain = measured(())[0]
            trial = self._one(row, plain, measured, rounds)
            found.append(trial)
            emit(trial)
        return sorted(found, key=_rank)

    def _one(self, row: Wanted, plain: float, measured: Measured, rounds: int) -> CostTrial:
        try:
            first, live = measured(row.changes)
            if first > (1 - _SAVES) * plain:
                return CostTrial(row.what, (plain,), (first,))
            pairs = []
            for _ in range(rounds):
                without = measured(())[0]
                cost, live = measured(row.changes)
                pairs.append((without, cost))
        except EngineError as error:
            return CostTrial(row.what, problem=error.problem.what)
        except Exception as error:  # noqa: BLE001  what runs here was never meant to run so
            return CostTrial(row.what, problem=f"{type(error).__name__}: {first_line(error)}")
        before, after = zip(*pairs, strict=True)
        trial = CostTrial(row.what, before, after)
        return self._with_consequences(trial, live) if trial.helps else trial

    def _with_consequences(self, trial: CostTrial, live: LiveCapture) -> CostTrial:
        base = self.program.base
        load = MachineLoad()
        first, second = time_interleaved([(base, base.compiled), (live, live.compiled)], _STEP_SECONDS)
        trial = msgspec.structs.replace(trial, step=paired_ratio(first, second, load.others()))

        def step() -> Any:
            with live.changes.active():
                return live.stepper.compared_step(live.compiled)

        return msgspec.structs.replace(trial, right=still_right(self.program, self._edits, step))


def _rank(trial: CostTrial) -> tuple[bool, float, float]:
    """What saves most first, of equals what makes the step shortest."""
    if not trial.helps:
        return True, 0.0, 0.0
    return False, -trial.saved, trial.step.ratio if trial.step is not None else 1.0


def module_classes(program: Program, rows: Sequence[CostRow]) -> Iterator[tuple[type, tuple[str, ...]]]:
    """Classes of modules inside the program's that have modules in them or are not torch's own, with their paths: those that
    take the most by these rows first. A module that takes nearly everything is the program itself, and left out.
    """
    costs = {row.name.partition(" ")[0]: row.amount for row in rows}
    most = max(costs.values(), default=0.0)
    found: dict[type, list[str]] = {}
    for path, module in parts_of(program).items():
        own = not type(module).__module__.startswith("torch.")
        if costs.get(path) and (own or next(module.children(), None) is not None):
            found.setdefault(type(module), []).append(path)
    for kind, paths in sorted(found.items(), key=lambda row: -sum(costs[path] for path in row[1])):
        alone = len(paths) == 1 and costs[paths[0]] > _ALL * most
        if not alone and kind.__name__ not in _CONTAINERS:
            yield kind, tuple(paths)


def forward_of(program: Program, kind: type) -> str:
    """How the program's file, or Python, finds the method."""
    if getattr(program.namespace, kind.__name__, None) is kind:
        return f"{kind.__name__}.forward"
    return f"{kind.__module__}.{kind.__qualname__}.forward"
