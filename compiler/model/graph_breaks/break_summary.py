"""A break in a few plain words, for where there is no room for torch's own; and what a whole sort of break means."""

from compiler.model.capture.frames import BreakCategory, GraphBreak

_KINDS = {
    "Data-dependent branching": "branches on a tensor's value",
    "Data-dependent branching with non-constant __bool__": "branches on a value that depends on a tensor",
    "Data-dependent assertion failed (cannot compile partial graph)": "asserts on a tensor's value",
    "Data dependent operator": "the result is a Python value that depends on the data",
    "Dynamic shape operator": "the size of the result depends on the data",
    "Dynamic shape operator (no meta kernel)": "the size of the result depends on the data",
    "Call to `torch._dynamo.graph_break()`": "asks for a graph break",
    "Call to `torch._dynamo.skip_frame()`": "asks Dynamo to skip the function",
    "Unsupported Tensor.item() call with capture_scalar_outputs=False": "takes a number out of a tensor",
    "Tensor.tolist() with non-integer tensor": "takes numbers out of a tensor",
    "Attempt to trace generator": "a generator can't be compiled by itself",
    "Observed exception": "raises an exception",
    "Unsupported context manager": "enters a context manager that Dynamo does not know",
    "Unsupported Tensor.backward() call": "runs backward inside the compiled function",
    "logging.Logger method not supported for non-export cases": "logs a message",
    "Dynamo recompile limit exceeded": "compiled too often: from here on it runs eagerly",
    "graph break in loop": "in a loop",
    "no tensor-related objects found in frame": "no variable of it holds a tensor",
    "No ops traced for the FX graph": "it has no tensor operation",
    "frame is in the Dynamo skipfiles list": "it is on Dynamo's list of code never traced",
}
_OF_CALLEE = {
    "Failed to trace builtin operator": "Dynamo can't trace {}()",
    "Attempted to call function marked as skipped": "Dynamo does not look into {}()",
    "Attempted to inline function marked as skipped": "Dynamo does not look into {}()",
    "Attempted to inline function marked as skipped (SkipFunctionVariable)": "Dynamo does not look into {}()",
    "Skip inlining `torch.compiler.disable()`d function": "{}() is kept out by torch.compiler.disable",
    "Skip calling `torch.compiler.disable()`d function": "{}() is kept out by torch.compiler.disable",
    "Unsupported function call": "Dynamo does not know how to call {}()",
    "Unsupported method call": "Dynamo does not know how to call {}()",
}
_SORTS = {
    BreakCategory.BREAK: "",
    BreakCategory.SKIPPED_FRAME: "Dynamo gave the whole function up: it runs eagerly. Functions it calls are compiled as frames of their own.",
    BreakCategory.LOOP: "The break is in a loop. Dynamo can't resume there, so it gave the whole function up: it runs eagerly.",
    BreakCategory.INLINING_REFUSED: "Dynamo will not look into the function that is called; it runs eagerly.",
    BreakCategory.RECOMPILE_LIMIT: "Compiled so often that torch stopped: whatever fits no earlier compile runs eagerly.",
    BreakCategory.ERROR: "With fullgraph=True a break is an error: torch.compile raised here.",
}

_NOTHING_TO_COMPILE = (
    (
        "no tensor-related objects found in frame",
        "No variable of this function holds a tensor, so Dynamo had nothing to compile in it.",
    ),
    (
        "No ops traced for the FX graph",
        "Dynamo traced this function and found no tensor operation in it.",
    ),
)
_LEFT_TO_EAGER = (
    (
        "frame is in the Dynamo skipfiles list",
        "Dynamo has this file or function on its list of code that it never traces.",
    ),
    (
        "__setattr__ frames are not compiled",
        "Dynamo never compiles __setattr__ by itself.",
    ),
    (
        "non-infra torch dispatch mode present",
        "A torch dispatch mode was active; Dynamo compiles nothing under one.",
    ),
    (
        "tracing is non-recursively disabled for this frame",
        "torch.compiler.disable(recursive=False) keeps Dynamo out of this function.",
    ),
)
_SKIP_PREFIX = "Dynamo decided to skip the frame while tracing: "


def nothing_to_compile(skip_reason: str) -> bool:
    """Whether Dynamo left a frame alone because no tensor operation is in it: then nothing was lost."""
    reason = skip_reason.removeprefix(_SKIP_PREFIX)
    return any(reason.startswith(start) for start, _ in _NOTHING_TO_COMPILE)


def describe_skip(skip_reason: str) -> str:
    """Why Dynamo left a frame alone, as a sentence; empty for a reason that speaks for itself."""
    reason = skip_reason.removeprefix(_SKIP_PREFIX)
    known = (*_NOTHING_TO_COMPILE, *_LEFT_TO_EAGER)
    return next((text for start, text in known if reason.startswith(start)), "")


def skip_kind(skip_reason: str) -> str:
    """The first sentence of torch's reason."""
    return skip_reason.removeprefix(_SKIP_PREFIX).split("\n")[0].split(". ")[0]


def describe(item: GraphBreak) -> str:
    """Why Dynamo stopped, in a few words."""
    if item.callee and item.kind in _OF_CALLEE:
        return _OF_CALLEE[item.kind].format(item.callee)
    return _KINDS.get(item.kind) or item.kind


def with_loss(item: GraphBreak) -> str:
    """The same, and what runs eagerly because of it."""
    words = describe(item)
    if item.sort is BreakCategory.SKIPPED_FRAME:
        return f"function runs eagerly: {words}"
    if item.sort is BreakCategory.RECOMPILE_LIMIT:
        return words
    if item.skipped_frame:
        return f"{words}; the whole function runs eagerly"
    if item.rest_eager:
        return f"{words}; the rest of the function runs eagerly"
    return words


def describe_category(item: GraphBreak) -> str:
    """What became of the program there; empty for an ordinary break."""
    words = _SORTS[item.sort]
    if not words and item.skipped_frame:
        return "The whole function was given up: it runs eagerly."
    if not words and item.rest_eager:
        return "Dynamo found no place to resume at: the rest of the function runs eagerly."
    return words


def heading(item: GraphBreak) -> str:
    """``Graph break``, ``Skipped frame``: the sort as a heading."""
    return item.sort.value.capitalize()
