"""Remedies that need more than the oldest torch: ``switch`` among several cases, and ``nonstrict_trace`` of a function."""

import ast

from compiler.analysis.remedies import several_cases
from compiler.analysis.remedies.statements import Location
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.capture.program_changes import TraceNonstrictly
from compiler.model.graph_breaks import registry_ids as ids
from compiler.model.graph_breaks.remedy import Remedy, replace_source

BRANCHING = (ids.BRANCH_ON_TENSOR, ids.BRANCH_ON_VALUE)
"""A Python branch on a tensor."""
_INDEXING = (ids.ITEM, ids.INDEX_OF_TENSOR, ids.LIST_BY_TENSOR, ids.MODULE_BY_TENSOR)
_NEEDS_VALUES = (
    *BRANCHING,
    *_INDEXING,
    ids.TOLIST,
    ids.GUARD_SCALAR,
    ids.DATA_DEPENDENT_ASSERTION,
    ids.DATA_DEPENDENT_OPERATOR,
    ids.DYNAMIC_SHAPE,
    ids.DYNAMIC_SHAPE_WITHOUT_META,
    ids.ONE_HOT,
    ids.BACKWARD_CALL,
    ids.RECOMPILE_LIMIT,
)
"""AOTAutograd has no values either, or the break is not in what the function does."""
SWITCH_SINCE = (2, 14)
NONSTRICT_PUBLIC_SINCE = (2, 14)
"""Before it is ``torch._dynamo.nonstrict_trace``, without the ``torch.compiler`` name."""
METHODS_SINCE = (2, 12)
"""Before, Dynamo looked into a method that was marked."""


def since_2_14(
    capture: Capture, path: str, item: GraphBreak, location: Location, inlined: bool
) -> list[Remedy]:
    """Those that the torch of the capture has. `inlined`: the break stands in a function that another one called."""
    torch = ids.release(capture.environment.torch)
    found = [*_switched(capture, path, item, location)] if torch >= SWITCH_SINCE else []
    named = _function(location)
    if (
        inlined
        and named
        and item.registry_id not in _NEEDS_VALUES
        and item.sort is not BreakCategory.RECOMPILE_LIMIT
        and torch >= (METHODS_SINCE if "." in named else (2, 11))
    ):
        module = "torch.compiler" if torch >= NONSTRICT_PUBLIC_SINCE else "torch._dynamo"
        found.append(
            Remedy(
                f"Trace {named} without Dynamo",
                f"{module}.nonstrict_trace: the call is one node of Dynamo's graph, which does not look into it; "
                "AOTAutograd runs it once and compiles the operations it sees.",
                TraceNonstrictly(named, f"{module}.nonstrict_trace"),
                "Its Python runs while it is compiled only: what it prints, draws or keeps is not done again, and a "
                "tensor that it does not get as an argument is a constant.",
            )
        )
    return found


def _switched(capture: Capture, path: str, item: GraphBreak, location: Location) -> list[Remedy]:
    new, caution = None, ""
    if item.registry_id in BRANCHING and isinstance(location.statement, ast.If | ast.Match):
        new = several_cases.branches_as_switch(location)
        caution = "The cases must give the same shape and dtype, and may change nothing outside them."
    elif item.registry_id in _INDEXING:
        new = several_cases.index_as_switch(location)
        caution = "An index that is out of range is clamped: it is no error, and negative ones do not count from the end."
    if new is None:
        return []
    title = "Choose with torch.switch"
    return [
        Remedy(
            title,
            "All cases go into the graph as subgraphs, and only the one that a tensor's value names runs. "
            "torch calls it a prototype; it is torch._higher_order_ops.switch.",
            replace_source(capture, path, new, title),
            caution,
        )
    ]


def _function(location: Location) -> str:
    """``helper``, ``Net.scale``: the function at the top of the file, or the method of a class there, that the statement is in.

    Not ``forward``, which modules call by other ways than its name.
    """
    function = location.function
    if function is None or isinstance(function, ast.AsyncFunctionDef) or function.decorator_list:
        return ""
    if function in location.tree.body:
        return function.name
    for owner in location.tree.body:
        if isinstance(owner, ast.ClassDef) and function in owner.body and function.name != "forward":
            return "" if function.name.startswith("__") else f"{owner.name}.{function.name}"
    return ""
