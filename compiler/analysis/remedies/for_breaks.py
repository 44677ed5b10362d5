"""Which remedies fit a graph break: by torch's id of the break, never by its words, and by the statement it stands in."""

import ast

from compiler.analysis.remedies import source_edits
from compiler.analysis.remedies.newer_torch import BRANCHING, since_2_14
from compiler.analysis.remedies.plugins import found_rules
from compiler.analysis.remedies.statements import Location, assigned_in, calls_in, dotted, find_spot
from compiler.model.capture.capturable_names import last_name
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.capture.program_changes import (
    AddToConfig,
    AllowInGraph,
    DisableFunction,
    SetCompileArgument,
    SetConfig,
)
from compiler.model.graph_breaks import registry_ids as ids
from compiler.model.graph_breaks.remedy import Remedy, replace_source
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import SourceStage

_DYNAMO = "torch._dynamo.config"
_LOGGING_METHODS = ("debug", "info", "warning", "error", "critical", "exception", "log")
_REORDERABLE = ("print", "warnings.warn")
_REMEMBERED = {"TensorVariable", "ConstantVariable", "StringFormatVariable"}
"""What Dynamo lets such a function be called with at the end of a graph."""

_SWITCHES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        (
            ids.ITEM,
            ids.DATA_DEPENDENT_OPERATOR,
            ids.UNBACKED_INPUT,
            ids.SLICE_BY_TENSOR,
            ids.CONSTANT_FOLD,
            ids.INDEX_OF_TENSOR,
        ),
        "capture_scalar_outputs",
        "Dynamo takes .item() into the graph and goes on with a symbolic number.",
    ),
    (
        (ids.DYNAMIC_SHAPE, ids.DYNAMIC_SHAPE_WITHOUT_META, ids.ONE_HOT),
        "capture_dynamic_output_shape_ops",
        "Operators whose result's size depends on data (nonzero, unique, boolean masks) go into the graph.",
    ),
    ((ids.RNN,), "allow_rnn", "Dynamo traces through recurrent layers."),
    (
        (ids.TENSOR_NUMPY, ids.FROM_NUMPY, ids.NUMPY_FUNCTION),
        "trace_numpy",
        "Dynamo traces NumPy calls as tensor operations.",
    ),
    (
        (ids.AUTOGRAD_GRAD, ids.BACKWARD_CALL),
        "trace_autograd_ops",
        "torch.autograd.grad and Tensor.backward go into the graph.",
    ),
)
"""By ids: (breaks, the setting that is to be True, what it does)."""
_NUMBERS_FROM = ("", "aten.item.default", "aten._local_scalar_dense.default", "aten.select.int")
"""Operators whose number can be a symbol, by what torch says of the break; empty where a log says nothing."""

_CONSTRUCTORS = ("__init__", "__new__", "instantiate_user_defined_class_object")
"""The last is torch's own, which Dynamo traces for a class."""

_NUMBER_WANTED = (
    *BRANCHING,
    ids.ITEM,
    ids.DATA_DEPENDENT_OPERATOR,
    ids.DATA_DEPENDENT_ASSERTION,
    ids.LIST_BY_TENSOR,
    ids.ONE_HOT,
    ids.GUARD_SCALAR,
    ids.TENSOR_COMPARISON,
    ids.BUILTIN,
    ids.BUILTIN_ARGUMENTS,
    ids.BUILTIN_ON_TENSOR,
)
"""Python was to have a number of a tensor."""
_CALL_REFUSED = (ids.BUILTIN, ids.BUILTIN_ARGUMENTS, ids.BUILTIN_ON_TENSOR)
"""Of these, what torch says of `print` itself too."""
_STEPS = ("backward", "manual_backward", "step", "zero_grad")
"""Methods of tensors, optimizers, schedulers and gradient scalers; what writes in place ends in an underscore."""
_REPORTING = (
    *(
        "print",
        "pprint",
        "pp",
        "display",
        "warn",
        "warn_once",
        *_LOGGING_METHODS,
        "log_dict",
        "add_scalar",
        "add_histogram",
    ),
    *(
        "breakpoint",
        "set_trace",
        "sleep",
        "flush",
        "synchronize",
        "collect",
        "empty_cache",
        "range_push",
        "range_pop",
    ),
    "graph_break",
)
"""Calls that may be left out: they tell, wait or tidy up. Any other whose value is thrown away is there for what it does, into a
list, a file or a trace of a library's (``pyro.sample`` of what is observed): it may come later at most.
"""
_READING_ON = ("next", "sample", "pop", "popleft", "popitem", "append", "add", "update", "setdefault")
"""Calls within such a one that change what the program does next."""
_NOT_LOOKED_INTO = (
    ids.CALLED_SKIPPED,
    ids.INLINED_SKIPPED,
    ids.INLINED_SKIPPED_VARIABLE,
    ids.FUNCTION_CALL,
    ids.FUNCTION_CALL_DELAYED,
    ids.NOT_IN_PYTHON,
)


def remedies_for(capture: Capture, item: GraphBreak) -> tuple[Remedy, ...]:
    """What may take this break away, the least intrusive first. Empty where nothing is known: the hints remain."""
    by_id = {other.id: other for other in capture.breaks}
    cause = item
    while cause.caused_by in by_id and by_id[cause.caused_by] is not cause:
        cause = by_id[cause.caused_by]
    found = [*_switches(cause), *_recompiling(capture, cause)]
    place = _users_line(capture, cause)
    if place is not None:
        location = find_spot(place[1], place[0].line)
        if location is not None:
            found += _about_the_call(cause, location)
            found += _about_the_statement(capture, place[0].path, cause, location)
            found += _about_disabled(capture, place[0].path, cause, location)
            found += _about_the_function(capture, cause, location)
            found += since_2_14(capture, place[0].path, cause, location, _is_inlined(capture, cause))
    if _is_inlined(capture, cause) and cause.sort.is_counted:
        found.append(
            Remedy(
                "Let the called function break by itself",
                "With nested graph breaks Dynamo cuts the graph inside the function that was called, instead of "
                "leaving the whole call to eager mode.",
                SetConfig(f"{_DYNAMO}.nested_graph_breaks", True),
            )
        )
    for rule in found_rules().rows:
        found += rule.make(capture, cause)
    return tuple({(remedy.title, repr(remedy.change)): remedy for remedy in found}.values())


def _switches(item: GraphBreak) -> list[Remedy]:
    if item.registry_id == ids.FUNCTION_CALL_DELAYED:  # one id for many reasons
        return [
            Remedy(f"Set {name}", "Torch names this setting.", SetConfig(f"{_DYNAMO}.{name}", value=True))
            for name in item.settings_named
        ]
    if item.registry_id == ids.DATA_DEPENDENT_OPERATOR and item.operator not in _NUMBERS_FROM:
        return []  # of `torch.equal` no setting takes the answer into the graph
    return [
        Remedy(f"Set {name}", why, SetConfig(f"{_DYNAMO}.{name}", value=True))
        for breaks, name, why in _SWITCHES
        if item.registry_id in breaks
    ]


def _recompiling(capture: Capture, item: GraphBreak) -> list[Remedy]:
    if item.sort is not BreakCategory.RECOMPILE_LIMIT and item.registry_id != ids.RECOMPILE_LIMIT:
        return []
    higher = Remedy(
        "Raise the recompile limit",
        "Dynamo compiles the frame up to 64 times before it gives up.",
        SetConfig(f"{_DYNAMO}.recompile_limit", 64),
        "Each compile takes its time, and each call checks the guards of all of them.",
    )
    if not _sizes_differ(capture, item):
        return [higher]
    return [
        Remedy(
            "Compile with dynamic shapes",
            "Sizes become symbols at the first compile, so that other sizes need no compile of their own.",
            SetCompileArgument("dynamic", True),
            "Helps where sizes differ from call to call; kernels for symbolic sizes may be slower.",
        ),
        higher,
    ]


def _sizes_differ(capture: Capture, item: GraphBreak) -> bool:
    """Whether a recompile of the frame would not have been with symbols for sizes and numbers: all that failed of the code before. Also
    where what failed is not known.
    """
    frame = item.frame.partition("/")[0] + "/"
    tried = [
        record.entries[0].failed
        for record in capture.recompiles
        if record.compile_id.startswith(frame) and record.entries and record.entries[0].failed
    ]
    return not tried or any(all(guard.is_of_sizes for guard in failed) for failed in tried)


def _about_the_call(item: GraphBreak, location: Location) -> list[Remedy]:
    if item.registry_id in _NUMBER_WANTED and item.registry_id not in _CALL_REFUSED:
        return []  # `print(h) if h.mean() > 1 else None`: the break comes before the call
    rows = []
    for call in calls_in(location.statement):
        name = dotted(call.func)
        owner, _, method = name.rpartition(".")
        if name in _REORDERABLE and _can_be_put_off(call, item):
            rows.append(
                Remedy(
                    f"Let {name} run after the graph",
                    f"Dynamo remembers what {name} was called with and calls it at the end of the graph.",
                    AddToConfig(f"{_DYNAMO}.reorderable_logging_functions", name),
                    "It prints the values at that moment, and only tensors, constants and formatted strings.",
                )
            )
        elif method in _LOGGING_METHODS and "log" in owner.lower():  # `self.log` of Lightning is no logger's
            rows.append(
                Remedy(
                    f"Leave {name} out",
                    "Dynamo ignores calls of this method while it compiles; compiled code does not log.",
                    AddToConfig(f"{_DYNAMO}.ignore_logging_functions", f"logging.Logger.{method}"),
                    "Nothing is logged in compiled code.",
                )
            )
    return rows


def _can_be_put_off(call: ast.Call, item: GraphBreak) -> bool:
    """Dynamo remembers tensors, constants and formatted strings; keywords it refuses, or drops (before 2.15)."""
    if call.keywords:
        return False
    return item.argument_kinds <= _REMEMBERED and (dotted(call.func) == "print" or len(call.args) == 1)


def _about_the_statement(capture: Capture, path: str, item: GraphBreak, location: Location) -> list[Remedy]:
    edits: list[tuple[str, str, str | None, str]] = []
    if isinstance(location.statement, ast.Expr):
        calls = calls_in(location.statement)
        called = calls[0].func if calls else None
        if called is not None and _trains_or_writes(called):
            return []
        what = (dotted(called) or ast.unparse(called)) if called is not None else "the call"
        is_break = what in ("torch._dynamo.graph_break", "graph_break", "_dynamo.graph_break")
        if not is_break:
            edits.append(
                (
                    f"Move {what} to the end of {location.qualified}",
                    "The graph is whole before it is called.",
                    source_edits.moved_to_end(location),
                    "Only if what follows does not need what it does.",
                )
            )
        left_out = called is not None and _only_prints(location.statement, called)
        if left_out and not is_break:
            edits.append(
                (
                    f"Call {what} only in eager mode",
                    "if not torch.compiler.is_compiling(): compiled code leaves it out.",
                    source_edits.only_eagerly(location),
                    "Compiled code does not do what the call does.",
                )
            )
        if left_out:
            edits.append(
                (
                    f"Remove {what}",
                    "The call is taken out.",
                    source_edits.without_statement(location),
                    "Only if nobody needs it.",
                )
            )
    if isinstance(location.statement, ast.If) and item.registry_id in BRANCHING:
        edits.append(
            (
                "Choose with torch.where",
                "Both sides are computed and the condition picks, so that no Python if depends on a tensor's value.",
                source_edits.branch_as_where(location),
                "Both sides always run: mind their cost, and NaN in the one that is not chosen (in gradients too).",
            )
        )
        edits.append(
            (
                "Choose with torch.cond",
                "Both sides go into the graph as subgraphs, and only one runs.",
                source_edits.branch_as_cond(location),
                "The sides must give the same shape and dtype, and may change nothing outside them.",
            )
        )
    if item.registry_id in _NUMBER_WANTED:
        edits.append(
            (
                "Go on with the tensor instead of a number",
                ".item() and float() are taken out; a tensor of no dimensions works in arithmetic like a number, and detached it is no "
                "part of a gradient either.",
                source_edits.without_item(location),
                "Not where Python really needs a number: an if, a range, an index.",
            )
        )
    return [
        Remedy(title, why, replace_source(capture, path, text, title), caution)
        for title, why, text, caution in edits
        if text is not None
    ]


def _trains_or_writes(called: ast.expr) -> bool:
    """Whether a statement is the step's work, by torch's names: moved or left out, the program computes something else."""
    name = last_name(called)
    return name in _STEPS or (name.endswith("_") and not name.endswith("__"))


def _only_prints(statement: ast.stmt, called: ast.expr) -> bool:
    """Whether what is computed is the same without the statement, by the names in it."""
    others = [call.func for call in calls_in(statement) if call.func is not called]
    return (
        last_name(called) in _REPORTING
        and not any(isinstance(node, ast.NamedExpr | ast.Await | ast.Yield) for node in ast.walk(statement))
        and not any(_trains_or_writes(other) or last_name(other) in _READING_ON for other in others)
    )


def _about_disabled(capture: Capture, path: str, item: GraphBreak, location: Location) -> list[Remedy]:
    if item.registry_id not in (ids.CALLED_DISABLED, ids.INLINED_DISABLED):
        return []
    names = [name for call in calls_in(location.statement) if (name := dotted(call.func))]
    rows = []
    for name in (item.callee, *names):
        new = source_edits.without_disable(location.text, name) if name else None
        if new is not None:
            title = f"Take torch.compiler.disable off {name.rpartition('.')[2]}"
            rows.append(
                Remedy(
                    title,
                    "Dynamo then traces into it.",
                    replace_source(capture, path, new, title),
                    "Somebody put it there: see whether what it holds can be compiled now.",
                )
            )
    return rows[:1]


def _about_the_function(capture: Capture, item: GraphBreak, location: Location) -> list[Remedy]:
    rows = []
    for call in calls_in(location.statement) if item.registry_id in _NOT_LOOKED_INTO else ():
        name = dotted(call.func)
        if (
            name
            and name.partition(".")[0] not in _own_names(location)
            and not isinstance(location.statement, ast.Expr)
            and not _in_constructor(capture, item)
        ):
            rows.append(
                Remedy(
                    f"Put {name} into the graph unseen",
                    "The call becomes one node; Dynamo does not look into it, AOTAutograd does.",
                    AllowInGraph(name),
                    "Only for functions of tensors without side effects, whose Python does not depend on values.",
                )
            )
    if (
        _is_inlined(capture, item)
        and location.function is not None
        and "." not in location.qualified.replace(location.function.name, "", 1)
    ):
        rows.append(
            Remedy(
                f"Run {location.qualified} eagerly as a whole",
                "torch.compiler.disable on it: one break around the call, nothing compiled inside it.",
                DisableFunction(location.qualified),
                "The break stays; it is tidier where the function breaks several times.",
            )
        )
    return rows


def _own_names(location: Location) -> set[str]:
    """Arguments and variables of the function: what they name is found in no file (``self.net``, ``x.relu``)."""
    if location.function is None:
        return set()
    given = {item.arg for item in ast.walk(location.function.args) if isinstance(item, ast.arg)}
    return {"self"} | given | assigned_in(location.function)


def _in_constructor(capture: Capture, item: GraphBreak) -> bool:
    """Whether what the user's line calls makes an object of a class: no node of a graph can give one."""
    place = _users_line(capture, item)
    below = item.stack[item.stack.index(place[0]) + 1 :] if place is not None else ()
    return bool(below) and below[0].function in _CONSTRUCTORS


def _is_inlined(capture: Capture, item: GraphBreak) -> bool:
    """Whether it stands in a function that another of the user's called and that was traced with it: who called the compiled
    function is in no graph.
    """
    callers = next((frame.callers for frame in capture.frames if frame.id == item.frame), ())
    outside = len(callers) if item.stack[: len(callers)] == callers else 0
    return len([line for line in item.stack[outside:] if _is_captured(capture, line)]) > 1


def _is_captured(capture: Capture, line: SourceLine) -> bool:
    return any(
        isinstance(stage.content, SourceStage)
        and stage.content.file.path == line.path
        and stage.content.file.standing is not FileOwner.TORCH
        for stage in capture.stages
    )


def _users_line(capture: Capture, item: GraphBreak) -> tuple[SourceLine, str] | None:
    """The innermost line of the stack in a file of the user's own that was captured, with the file's text."""
    texts = {
        stage.content.file.path: stage.content.file.text
        for stage in capture.stages
        if isinstance(stage.content, SourceStage) and stage.content.file.standing is FileOwner.MINE
    }
    for line in reversed(item.stack):
        if line.path in texts:
            return line, texts[line.path]
    return None
