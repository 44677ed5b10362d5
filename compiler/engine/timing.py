"""Live timings: the generated wrapper runs with a clock before and after each kernel call; nothing is compiled again.

Only the function that calls the kernels is made anew, from the wrapper's own text, in the wrapper's own names. The
lines to time are those that Inductor was seen to write for kernel calls.
"""

import ast
import dataclasses
import textwrap
import time
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.capturing import LiveCapture
from compiler.engine.failures import EngineError, problem_from
from compiler.engine.running import unchanged_state
from compiler.engine.stage_ids import unit_id
from compiler.engine.torch_internals.live_regions import LiveUnit, module_globals
from compiler.engine.wrapper_reading import read_kernels
from compiler.model.ids import place
from compiler.model.loops import Kernel
from compiler.model.timings import (
    KernelTiming,
    TimedKernel,
    TimingBatch,
    TimingReport,
    TimingSettings,
    TimingStarted,
    summarise,
)

_BATCH_SECONDS = 0.1


def with_clocks(
    text: str, kernels: tuple[Kernel, ...], names: dict[str, Any]
) -> tuple[Callable[..., Any], list[int]]:
    """(the wrapper's ``call`` with clocks, its list of nanoseconds by kernel). Raises SyntaxError, KeyError."""
    lines = text.split("\n")
    tree = ast.parse(text)
    ends = {
        statement.lineno: statement.end_lineno or statement.lineno
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt)
    }
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for index, kernel in enumerate(kernels):
        line = kernel.call_line
        if line is None or line not in ends:
            continue
        start = lines[line - 1]
        indent = start[: len(start) - len(start.lstrip())]
        before[line] = f"{indent}_loupe_start = _loupe_clock()"
        after[ends[line]] = f"{indent}_loupe_spent[{index}] += _loupe_clock() - _loupe_start"
    kept: list[str] = []
    for statement in tree.body:
        if not _is_caller(statement):
            continue
        for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            kept += [before[number]] if number in before else []
            kept.append(lines[number - 1])
            kept += [after[number]] if number in after else []
    spent = [0] * len(kernels)
    scope = {**names, "_loupe_clock": step_clock(), "_loupe_spent": spent}
    exec(compile(textwrap.dedent("\n".join(kept)), "<timed wrapper>", "exec"), scope)
    return scope["call"], spent


def step_clock() -> Callable[[], int]:
    """Nanoseconds. On a GPU kernels only begin when they are called, so there the clock waits for them to end: the
    times then hold launch and run together, and each kernel runs alone.
    """
    if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return time.perf_counter_ns

    def after_the_gpu() -> int:
        torch.cuda.synchronize()
        return time.perf_counter_ns()

    return after_the_gpu


def _is_caller(statement: ast.stmt) -> bool:
    """The class or function that calls kernels, and the lines that name it."""
    if isinstance(statement, ast.ClassDef):
        return statement.name == "Runner"
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "call" or statement.name.startswith("partition_")
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id in ("runner", "call")
    return False


@dataclasses.dataclass
class _TimedUnit:
    unit: LiveUnit
    plain: Callable[..., Any]
    spent: list[int]
    first: int


class TimingRun:
    """Times a live capture until told to stop."""

    def __init__(self, capture: LiveCapture, settings: TimingSettings, shown: str) -> None:
        self._capture = capture
        self._settings = settings
        self._shown = shown
        self._units: list[_TimedUnit] = []
        self._kernels: list[TimedKernel] = []

    def run(
        self, emit: Callable[[TimingStarted | TimingBatch], None], stop: Callable[[], bool]
    ) -> TimingReport:
        """Time; `emit` gets what happens, `stop` is asked after each iteration. Raises EngineError."""
        try:
            with unchanged_state(self._capture.program.module):
                self.put_clocks_in()
                started = TimingStarted(self._shown, tuple(self._kernels), torch.get_num_threads())
                emit(started)
                return self._loop(emit, stop, started)
        except EngineError:
            raise
        except Exception as error:
            raise EngineError(
                problem_from(error, "The program failed while it was timed", "Correct it and capture again.")
            ) from error
        finally:
            self.take_clocks_out()

    @property
    def kernel_count(self) -> int:
        """How many kernel calls are timed; 0 while no clocks are in."""
        return len(self._kernels)

    def take_clocks_out(self) -> None:
        """Let every graph run its plain wrapper again."""
        for timed in self._units:
            timed.unit.swap(timed.plain)
        self._units, self._kernels = [], []

    def put_clocks_in(self) -> None:
        """Let every graph run its wrapper with clocks."""
        for region in self._capture.live.regions:
            records = {record.part: record for record in region.record.units}
            for unit in region.units:
                record = records.get(unit.part)
                if record is None or unit.module is None or not record.wrapper_text:
                    continue
                kernels = read_kernels(record)
                call, spent = with_clocks(record.wrapper_text, kernels, module_globals(unit.module))
                self._units.append(_TimedUnit(unit, unit.swap(call), spent, len(self._kernels)))
                stage = unit_id(region.record.compile_id, unit.part, "kernels")
                self._kernels += [
                    TimedKernel(kernel.name, place(stage, kernel.id), unit.part, kernel.language)
                    for kernel in kernels
                ]

    def _loop(
        self,
        emit: Callable[[TimingStarted | TimingBatch], None],
        stop: Callable[[], bool],
        started: TimingStarted,
    ) -> TimingReport:
        stepper, backward = self._capture.stepper, self._settings.backward
        compiled, eager = self._capture.compiled, self._capture.program.callable
        clock = step_clock()
        rows: list[tuple[int, ...]] = []
        steps: list[int] = []
        eager_steps: list[int] = []
        sent = sent_eager = 0
        sent_at = time.perf_counter()
        iteration = -self._settings.warm_up
        while not stop():
            self._clear()
            begin = clock()
            stepper.step(compiled, backward)
            spent = clock() - begin
            if iteration >= 0:
                steps.append(spent)
                rows.append(self._collect())
            if self._settings.eager_every and iteration % self._settings.eager_every == 0:
                begin = clock()
                stepper.step(eager, backward)
                eager_steps += [clock() - begin] if iteration >= 0 else []
            iteration += 1
            finished = bool(self._settings.iterations) and iteration >= self._settings.iterations
            if finished or time.perf_counter() - sent_at > _BATCH_SECONDS:
                emit(
                    TimingBatch(
                        self._shown, tuple(rows[sent:]), tuple(steps[sent:]), tuple(eager_steps[sent_eager:])
                    )
                )
                sent, sent_eager, sent_at = len(rows), len(eager_steps), time.perf_counter()
            if finished:
                break
        return TimingReport(
            self._shown,
            tuple(
                KernelTiming(kernel, summarise([row[index] for row in rows]))
                for index, kernel in enumerate(started.kernels)
            ),
            summarise(steps),
            summarise(eager_steps),
            started.threads,
        )

    def _clear(self) -> None:
        for timed in self._units:
            timed.spent[:] = [0] * len(timed.spent)

    def _collect(self) -> tuple[int, ...]:
        return tuple(spent or -1 for timed in self._units for spent in timed.spent)
