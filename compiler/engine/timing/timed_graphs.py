"""What both kinds of timing run begin with: the wrappers of a live capture with the kernels they call."""

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from compiler.engine.errors import EngineError, problem_from
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.stage_ids import unit_id
from compiler.engine.torch_internals.live.live_graphs import LiveRegion, LiveUnit, module_globals
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import Kernel
from compiler.model.timing.timings import TimedKernel


class TimedWrapper(NamedTuple):
    """One graph's wrapper."""

    unit: LiveUnit
    title: str
    """``0/0 forward``."""
    text: str
    names: dict[str, Any]
    """The globals that its text runs with."""
    kernels: tuple[Kernel, ...]
    timed: list[TimedKernel]
    """The same, as they are told."""


def wrappers_of(region: LiveRegion) -> Iterator[TimedWrapper]:
    """The wrappers of a compiled graph that can be made anew."""
    name = region.record.compile_id
    records = {record.part: record for record in region.record.units}
    for unit in region.units:
        record = records.get(unit.part)
        if record is None or unit.module is None or not record.wrapper_text:
            continue
        kernels = read_kernels(record)
        stage = unit_id(name, unit.part, "kernels")
        timed = [
            TimedKernel(kernel.name, place(stage, kernel.id), unit.part, kernel.language)
            for kernel in kernels
        ]
        names = module_globals(unit.module)
        yield TimedWrapper(unit, f"{name} {unit.part}", record.wrapper_text, names, kernels, timed)


@contextlib.contextmanager
def failures_told() -> Iterator[None]:
    """What the program raises while it is timed becomes an EngineError."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        raise EngineError(
            problem_from(error, "The program failed while it was timed", "Correct it and capture again.")
        ) from error
