"""A break in a few plain words, for where there is no room for torch's own; and what a whole sort of break means."""

from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.capture.translating import Translate, in_english
from compiler.model.graph_breaks import registry_ids as ids

_BY_ID = {
    ids.BRANCH_ON_TENSOR: "branches on a tensor's value",
    ids.BRANCH_ON_VALUE: "branches on a value that depends on a tensor",
    ids.DATA_DEPENDENT_ASSERTION: "asserts on a tensor's value",
    ids.DATA_DEPENDENT_OPERATOR: "the result is a Python value that depends on the data",
    ids.DYNAMIC_SHAPE: "the size of the result depends on the data",
    ids.DYNAMIC_SHAPE_WITHOUT_META: "the size of the result depends on the data",
    ids.GRAPH_BREAK_CALL: "asks for a graph break",
    ids.SKIP_FRAME_CALL: "asks Dynamo to skip the function",
    ids.ITEM: "takes a number out of a tensor",
    ids.TOLIST: "takes numbers out of a tensor",
    ids.GENERATOR: "a generator can't be compiled by itself",
    ids.EXCEPTION: "raises an exception",
    ids.CONTEXT_MANAGER: "enters a context manager that Dynamo does not know",
    ids.BACKWARD_CALL: "runs backward inside the compiled function",
    ids.LOGGER: "logs a message",
    ids.RECOMPILE_LIMIT: "compiled too often: from here on it runs eagerly",
    ids.BREAK_IN_LOOP: "in a loop",
    ids.TIME_FUNCTION: "reads a clock",
    ids.CUSTOM_OP_WITHOUT_FAKE: "calls an operator that does not say what shape its result has",
    ids.DISABLE_CALLED: "calls torch.compiler.disable while it is compiled",
    ids.DYNAMO_DISABLE_CALLED: "calls torch.compiler.disable while it is compiled",
    ids.SKIPPED_IN_GENERATOR: "a generator goes over a function that Dynamo does not look into",
}
_SKIPPED = {
    "no tensor-related objects found in frame": "no variable of it holds a tensor",
    "No ops traced for the FX graph": "it has no tensor operation",
    "frame is in the Dynamo skipfiles list": "it is on Dynamo's list of code never traced",
}
"""By torch's words: frames that Dynamo leaves alone have no id."""
_OF_CALLEE = {
    ids.BUILTIN: "Dynamo can't trace {callee}()",
    ids.CALLED_SKIPPED: "Dynamo does not look into {callee}()",
    ids.INLINED_SKIPPED: "Dynamo does not look into {callee}()",
    ids.INLINED_SKIPPED_VARIABLE: "Dynamo does not look into {callee}()",
    ids.INLINED_DISABLED: "{callee}() is kept out by torch.compiler.disable",
    ids.CALLED_DISABLED: "{callee}() is kept out by torch.compiler.disable",
    ids.FUNCTION_CALL: "Dynamo does not know how to call {callee}()",
    ids.METHOD_CALL: "Dynamo does not know how to call {callee}()",
}
_SORTS = {
    BreakCategory.BREAK: "",
    BreakCategory.SKIPPED_FRAME: "Dynamo gave the whole function up: it runs eagerly. Functions it calls are compiled as frames of their own.",
    BreakCategory.LOOP: "The break is in a loop. Dynamo can't resume there, so it gave the whole function up: it runs eagerly.",
    BreakCategory.INLINING_REFUSED: "Dynamo will not look into the function that is called; it runs eagerly.",
    BreakCategory.RECOMPILE_LIMIT: "Compiled so often that torch stopped: whatever fits no earlier compile runs eagerly.",
    BreakCategory.ERROR: "With fullgraph=True a break is an error: torch.compile raised here.",
    BreakCategory.EXPORT: "This is no graph break: torch._dynamo.export makes one graph or none, and raised here.",
    BreakCategory.FAILURE: "This is no graph break: torch.compile raised an error here.",
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
_SKIPPED_FILE = "frame is in the Dynamo skipfiles list"
_SETATTR = "__setattr__ frames are not compiled"
_BY_NAME = (
    "skipping generator expression in transformers/diffusers",
    "torch.optim __init__ frames are not compiled",
    "frame is a namedtuple ",
)
_LEFT_TO_EAGER = (
    (
        _SKIPPED_FILE,
        "Dynamo has this file or function on its list of code that it never traces.",
    ),
    (
        _SETATTR,
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


def never_traced(skip_reason: str) -> bool:
    """Whether Dynamo left a frame alone because it traces no code of its package (NumPy's), or no function of its name."""
    return skip_reason.removeprefix(_SKIP_PREFIX).startswith((_SKIPPED_FILE, _SETATTR, *_BY_NAME))


def describe_skip(skip_reason: str, translate: Translate = in_english) -> str:
    """Why Dynamo left a frame alone, as a sentence; empty for a reason that speaks for itself."""
    reason = skip_reason.removeprefix(_SKIP_PREFIX)
    known = (*_NOTHING_TO_COMPILE, *_LEFT_TO_EAGER)
    return next((translate(text) for start, text in known if reason.startswith(start)), "")


def skip_kind(skip_reason: str) -> str:
    """The first sentence of torch's reason."""
    return skip_reason.removeprefix(_SKIP_PREFIX).split("\n")[0].split(". ")[0]


def describe(item: GraphBreak, translate: Translate = in_english) -> str:
    """Why Dynamo stopped, in a few words. `translate` fills the fields of a sentence, in another language where it is given."""
    if item.callee and item.registry_id in _OF_CALLEE:
        return translate(_OF_CALLEE[item.registry_id], callee=item.callee)
    words = _BY_ID.get(item.registry_id) or _SKIPPED.get(item.kind)
    return translate(words) if words else item.kind  # torch's own words


def with_loss(item: GraphBreak, translate: Translate = in_english) -> str:
    """The same, and what runs eagerly because of it."""
    words = describe(item, translate)
    if item.sort is BreakCategory.SKIPPED_FRAME:
        return translate("function runs eagerly: {words}", words=words)
    if item.sort is BreakCategory.RECOMPILE_LIMIT:
        return words
    if item.rest_eager:
        return translate("{words}; the rest of the function runs eagerly", words=words)
    if item.skipped_frame:
        return translate("{words}; the whole function runs eagerly", words=words)
    return words


def describe_category(item: GraphBreak, translate: Translate = in_english) -> str:
    """What became of the program there; empty for an ordinary break."""
    words = _SORTS[item.sort]
    if not words and item.rest_eager:
        words = "Dynamo found no place to resume at: the rest of the function runs eagerly."
    if not words and item.skipped_frame:
        words = "The whole function was given up: it runs eagerly."
    return translate(words)


def heading(item: GraphBreak, translate: Translate = in_english) -> str:
    """``Graph break``, ``Skipped frame``: the sort as a heading."""
    return translate(item.sort.value.capitalize())
