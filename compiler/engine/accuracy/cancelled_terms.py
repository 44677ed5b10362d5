"""Results of which float64 has next to nothing, as a bias of attention's keys has no gradient: how far they are off says nothing."""

from collections.abc import Collection

import msgspec

from compiler.engine.accuracy.tolerance import as_small_as_rounding, differences, nothing_but_rounding
from compiler.engine.user_program.stepper import Results
from compiler.model.timing.verdicts import Comparison


def marked(
    row: Comparison, eager: Results, exact: Results | None, edited: Collection[str] = ()
) -> Comparison:
    """The comparison with those named that are nothing but rounding in eager, and differ by no more here: an edit may give them a value.
    `edited`: what is nothing but rounding in the edited graph too, of fewer digits perhaps.
    """
    if exact is None:
        return row
    nothing = nothing_but_rounding(differences(eager, exact), eager, exact)
    names = {item.tensor for item in nothing}.difference(row.wrong)
    own = tuple(item for item in row.differences if item.tensor in names)
    small = as_small_as_rounding(own, exact, eager) if own else ()
    found = [item.tensor for item in own if item in small or item.tensor in edited]
    return (
        msgspec.structs.replace(row, rounding=tuple(dict.fromkeys((*row.rounding, *found)))) if found else row
    )
