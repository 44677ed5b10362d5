"""Forbidding fusions and asking for them: Inductor's own choices, with a person's put first."""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._inductor.scheduler import WhyNoFuse
from torch._inductor.virtualized import V

from compiler.engine.torch_internals.patch.patching import around
from compiler.model.ir.loop_ir import FusionChoice

GIVES = "forbidding fusions and asking for them"
NEEDS = (
    "torch._inductor.choices:InductorChoices.can_fuse",
    "torch._inductor.choices:InductorChoices.can_fuse_horizontal",
    "torch._inductor.choices:InductorChoices.score_fusion",
    "torch._inductor.scheduler:Scheduler.get_possible_fusions",
    "torch._inductor.virtualized:V.set_choices_handler",
)
_FIRST = 10**9
"""A score that no pair reaches by itself."""


@contextlib.contextmanager
def choosing(choices: tuple[FusionChoice, ...]) -> Iterator[None]:
    """While this is entered, the scheduler fuses these pairs, or does not. What would be wrong is still refused: only
    heuristics are overruled.
    """
    if not choices:
        yield
        return
    handler = _handler(choices)

    def possible(scheduler: Any, nodes: Any, *args: Any, original: Any) -> Any:
        found = original(scheduler, nodes, *args)
        known = {frozenset((one.get_name(), other.get_name())) for one, other in found}
        asked = [
            (one, other)
            for index, one in enumerate(nodes)
            for other in nodes[index + 1 :]
            if handler.choice(one, other) is True
            and frozenset((one.get_name(), other.get_name())) not in known
            and scheduler.can_fuse(one, other)
        ]
        return [*asked, *found]

    with around(NEEDS[3], possible), V.set_choices_handler(handler):
        yield


def _handler(choices: tuple[FusionChoice, ...]) -> Any:
    before = type(V.choices)

    class Chosen(before):  # type: ignore[misc, valid-type]
        """Whatever handler was there, asked second."""

        def choice(self, first: Any, second: Any) -> bool | None:
            """What was chosen of any two nodes that would come together."""
            left, right = set(first.get_operation_names()), set(second.get_operation_names())
            met = [row.fuse for row in choices if _parts(row, left, right)]
            return all(met) if met else None

        def can_fuse(self, scheduler: Any, first: Any, second: Any, score: Any) -> bool:
            match self.choice(first, second):
                case True:
                    return True
                case False:
                    WhyNoFuse(first, second)("forbidden by hand")
                    return False
            return bool(before.can_fuse(scheduler, first, second, score))

        def can_fuse_horizontal(self, scheduler: Any, first: Any, second: Any, score: Any) -> bool:
            return self.choice(first, second) is True or bool(
                before.can_fuse_horizontal(scheduler, first, second, score)
            )

        def score_fusion(self, scheduler: Any, first: Any, second: Any) -> Any:
            score = before.score_fusion(scheduler, first, second)
            if self.choice(first, second) is not True:
                return score
            values = list(vars(score).values())
            made: Any = type(score)
            return made(_FIRST, *values[1:])

    return Chosen()


def _parts(row: FusionChoice, left: set[str], right: set[str]) -> bool:
    return (row.first in left and row.second in right) or (row.second in left and row.first in right)
