"""Which Dynamo graphs a step runs. A program that changes at its first call what its guards read runs other code from then on,
and what that gives says nothing of an edit.
"""

import contextlib
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.stage_ids import split
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.edits.edits import Edit, stages_of

_FAILED = re.compile(r"^\s*- (\d+/\d+: .+?)(?:\s+# .*)?$", re.MULTILINE)
"""A guard that failed, in torch's error: which compile, what did not hold, and behind a remark the line that wanted it."""


def edited_ids(edits: tuple[Edit, ...]) -> set[str]:
    """The compile ids of the graphs that the edits concern."""
    return {split(stage)[0] for edit in edits for stage in stages_of(edit)}


@contextlib.contextmanager
def around_graphs(
    program: EditedProgram, around: Callable[[str], contextlib.AbstractContextManager[object]]
) -> Iterator[None]:
    """Every call of a Dynamo graph's compiled function happens meanwhile in what `around` gives for its compile id."""
    with contextlib.ExitStack() as stack:
        for dynamo_graph in program.base.live.dynamo_graphs:
            if dynamo_graph.function is not None:
                stack.callback(setattr, dynamo_graph, "function", dynamo_graph.function)
                dynamo_graph.function = _called_in(
                    functools.partial(around, dynamo_graph.record.compile_id), dynamo_graph.function
                )
        yield


@contextlib.contextmanager
def noting_runs(program: EditedProgram) -> Iterator[set[str]]:
    """The compile ids of the graphs that are run meanwhile."""
    ran: set[str] = set()

    def noted(name: str) -> contextlib.AbstractContextManager[None]:
        ran.add(name)
        return contextlib.nullcontext()

    with around_graphs(program, noted):
        yield ran


def ran_in_later_steps(program: EditedProgram, edits: tuple[Edit, ...]) -> set[str]:
    """The compile ids of the graphs that the second of two steps runs, as those that are timed do: none is put back between them."""
    with _steps_in_a_row(program, edits, "eager_on_recompile") as step:
        step()
        with noting_runs(program) as ran:
            step()
    return ran


@contextlib.contextmanager
def _steps_in_a_row(
    program: EditedProgram, edits: tuple[Edit, ...] | None, stance: str
) -> Iterator[Callable[[], object]]:
    """A step of the edited program (None: with the edits that it runs with), after which nothing is put back until this is left."""
    base = program.base
    with (
        program.switching() as switch,
        unchanged_state(base.program),
        torch.compiler.set_stance(stance),
    ):
        if edits is not None:
            switch(edits)
        yield functools.partial(base.stepper.step, base.compiled)


def fails_when_repeated(program: EditedProgram) -> Exception | None:
    """What the program raises by itself in the second of two steps, nothing put back between them: a cache that it wrote with
    gradients leads back through the first.
    """
    base = program.base
    with unchanged_state(base.program):
        base.stepper.step(base.program.callable)
        try:
            base.stepper.step(base.program.callable)
        except Exception as error:  # noqa: BLE001  whatever the program raises
            return error
    return None


def failed_guards(
    program: EditedProgram, edits: tuple[Edit, ...] | None, not_held: Callable[[], tuple[str, ...]]
) -> tuple[str, ...]:
    """The guards for which the second of two steps would be compiled again, in torch's words; without `edits` of what the program runs
    with. Where it would not be, since other code was compiled meanwhile, `not_held` is asked behind these steps.
    """
    with _steps_in_a_row(program, edits, "fail_on_recompile") as step:
        try:
            step()
            step()
        except RuntimeError as error:
            return tuple(dict.fromkeys(_FAILED.findall(str(error))))
        with torch.compiler.set_stance(
            "eager_on_recompile"
        ):  # a program that draws its layers may ask for another compile now
            return not_held()


def unseen_graphs(program: EditedProgram, edits: tuple[Edit, ...], ran: set[str]) -> set[str]:
    """The compile ids of the graphs that a step that ran these says nothing of: those edited; of a program that is not edited all,
    if it ran none.
    """
    return edited_ids(edits) - ran if edits else wholly_unseen(program, edits, ran)


def wholly_unseen(program: EditedProgram, edits: tuple[Edit, ...], ran: set[str]) -> set[str]:
    """The compile ids of the graphs that the edits concern, without edits of all, where the step ran none of them; else empty."""
    graphs = program.base.live.dynamo_graphs
    concerned = edited_ids(edits) or {
        graph.record.compile_id for graph in graphs if graph.function is not None
    }
    return set() if concerned & ran else concerned


def why_unseen(names: Iterable[str], ran_before: Iterable[str] = ()) -> str:
    """Why a step says nothing of graphs that it does not run. `ran_before`: those that a step without the edits runs."""
    one, *more = sorted(names)
    which = f"graph {one}" if not more else f"graphs {', '.join((one, *more))}"
    if {one, *more} <= set(ran_before):
        return (
            f"no step runs {which} after the edits, and every step does without them: what an edited graph before it gives is of another "
            "dtype, size or stride than that was compiled for, or leads the program elsewhere. Edit one graph at a time"
        )
    return (
        f"no step after the call that compiled runs {which}: the guards do not hold any more, nothing calls it, or "
        "torch.compiler.reset() dropped it, and torch goes on in other code. What a program does at its first call only, it can do "
        "before it is captured"
    )


def _called_in(
    around: Callable[[], contextlib.AbstractContextManager[object]], function: Callable[..., Any]
) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        with around():
            return function(*args)

    return run
