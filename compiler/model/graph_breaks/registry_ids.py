"""Torch's graph breaks by the ids of its registry (``torch/_dynamo/graph_break_registry.json``).

An id stays when torch words a break again (GB0131 and GB2483 were), so whatever is known of a break here is known by its id.
A test holds every row against the registry of the torch that runs.
"""

import msgspec

from compiler.model.ir.ids import is_number

DATA_DEPENDENT_OPERATOR = "GB0033"
DATA_DEPENDENT_ASSERTION = "GB0034"
BRANCH_ON_VALUE = "GB0035"
BRANCH_ON_TENSOR = "GB0170"
DYNAMIC_SHAPE = "GB0036"
DYNAMIC_SHAPE_WITHOUT_META = "GB0037"
ONE_HOT = "GB0246"
ITEM = "GB0124"
TOLIST = "GB0109"
UNBACKED_INPUT = "GB0018"
SLICE_BY_TENSOR = "GB0038"
CONSTANT_FOLD = "GB0178"
INDEX_OF_TENSOR = "GB0218"
LIST_BY_TENSOR = "GB0070"
MODULE_BY_TENSOR = "GB0281"
GUARD_SCALAR = "GB0360"
TENSOR_COMPARISON = "GB0023"
BUILTIN = "GB0059"
BUILTIN_ARGUMENTS = "GB0193"
BUILTIN_ON_TENSOR = "GB0213"
RNN = "GB0014"
TENSOR_NUMPY = "GB0105"
FROM_NUMPY = "GB0231"
NUMPY_FUNCTION = "GB0293"
AUTOGRAD_GRAD = "GB9186"
BACKWARD_CALL = "GB0123"
RECOMPILE_LIMIT = "GB0039"
BREAK_IN_LOOP = "GB7000"
CALLED_SKIPPED = "GB0007"
INLINED_SKIPPED = "GB0008"
INLINED_SKIPPED_VARIABLE = "GB0009"
CALLED_DISABLED = "GB0098"
INLINED_DISABLED = "GB0099"
FUNCTION_CALL = "GB0147"
FUNCTION_CALL_DELAYED = "GB0148"
METHOD_CALL = "GB0156"
NOT_IN_PYTHON = "GB0177"
GRAPH_BREAK_CALL = "GB0025"
SKIP_FRAME_CALL = "GB4297"
GENERATOR = "GB0003"
EXCEPTION = "GB0088"
CONTEXT_MANAGER = "GB0142"
LOGGER = "GB0291"
TIME_FUNCTION = "GB9193"
CUSTOM_OP_WITHOUT_FAKE = "GB3069"
DISABLE_CALLED = "GB0377"
DYNAMO_DISABLE_CALLED = "GB0376"
SKIPPED_IN_GENERATOR = "GB7151"


class KnownBreak(msgspec.Struct, frozen=True):
    """One row of torch's registry that something here knows."""

    words: str
    """Torch's ``gb_type``, as a torch from 2.11 on says it."""
    since: tuple[int, int] = (2, 11)
    """The first torch, of those that are supported, whose registry has it."""


KNOWN: dict[str, KnownBreak] = {
    DATA_DEPENDENT_OPERATOR: KnownBreak("Data dependent operator"),
    DATA_DEPENDENT_ASSERTION: KnownBreak("Data-dependent assertion failed (cannot compile partial graph)"),
    BRANCH_ON_VALUE: KnownBreak("Data-dependent branching with non-constant __bool__"),
    BRANCH_ON_TENSOR: KnownBreak("Data-dependent branching"),
    DYNAMIC_SHAPE: KnownBreak("Dynamic shape operator"),
    DYNAMIC_SHAPE_WITHOUT_META: KnownBreak("Dynamic shape operator (no meta kernel)"),
    ONE_HOT: KnownBreak("Attempted to use `torch.nn.functional.one_hot` with data-dependent output shape"),
    ITEM: KnownBreak("Unsupported Tensor.item() call with capture_scalar_outputs=False"),
    TOLIST: KnownBreak("Tensor.tolist() with non-integer tensor"),
    UNBACKED_INPUT: KnownBreak("Attempted to wrap unbacked SymInt"),
    SLICE_BY_TENSOR: KnownBreak("Dynamic slicing with Tensor arguments"),
    CONSTANT_FOLD: KnownBreak("constant fold exception"),
    INDEX_OF_TENSOR: KnownBreak("unsupported index(Tensor)"),
    LIST_BY_TENSOR: KnownBreak("Indexing list with non-scalar tensor"),
    MODULE_BY_TENSOR: KnownBreak("Invalid or non-const argument in nn.Module __getitem__"),
    GUARD_SCALAR: KnownBreak("torch.fx.experimental.symbolic_shapes.guard_scalar branch not supported"),
    TENSOR_COMPARISON: KnownBreak("Builtin `operator.*` comparison with constant `self` failed"),
    BUILTIN: KnownBreak("Failed to trace builtin operator"),
    BUILTIN_ARGUMENTS: KnownBreak("invalid call to builtin op handler"),
    BUILTIN_ON_TENSOR: KnownBreak("unimplemented builtin op on tensor arguments"),
    RNN: KnownBreak("Attempted to wrap RNN, GRU, or LSTM"),
    TENSOR_NUMPY: KnownBreak("Tensor.numpy() with trace_numpy=False"),
    FROM_NUMPY: KnownBreak("call `torch.from_numpy` with `torch._dynamo.config.trace_numpy=False`"),
    NUMPY_FUNCTION: KnownBreak("attempted to trace numpy function with config.trace_numpy=False"),
    AUTOGRAD_GRAD: KnownBreak(
        "using `torch.autograd.grad` with `torch._dynamo.config.trace_autograd_ops=False`"
    ),
    BACKWARD_CALL: KnownBreak("Unsupported Tensor.backward() call"),
    RECOMPILE_LIMIT: KnownBreak("Dynamo recompile limit exceeded"),
    BREAK_IN_LOOP: KnownBreak("graph break in loop"),
    CALLED_SKIPPED: KnownBreak("Attempted to call function marked as skipped"),
    INLINED_SKIPPED: KnownBreak("Attempted to inline function marked as skipped"),
    INLINED_SKIPPED_VARIABLE: KnownBreak(
        "Attempted to inline function marked as skipped (SkipFunctionVariable)"
    ),
    CALLED_DISABLED: KnownBreak("Skip calling `torch.compiler.disable()`d function"),
    INLINED_DISABLED: KnownBreak("Skip inlining `torch.compiler.disable()`d function"),
    FUNCTION_CALL: KnownBreak("Unsupported function call"),
    FUNCTION_CALL_DELAYED: KnownBreak("Unsupported function call (delayed)"),
    METHOD_CALL: KnownBreak("Unsupported method call"),
    NOT_IN_PYTHON: KnownBreak("can't handle functions not implemented in python "),
    GRAPH_BREAK_CALL: KnownBreak("Call to `torch._dynamo.graph_break()`"),
    SKIP_FRAME_CALL: KnownBreak("Call to `torch._dynamo.skip_frame()`"),
    GENERATOR: KnownBreak("Attempt to trace generator"),
    EXCEPTION: KnownBreak("Observed exception"),
    CONTEXT_MANAGER: KnownBreak("Unsupported context manager"),
    LOGGER: KnownBreak("logging.Logger method not supported for non-export cases"),
    TIME_FUNCTION: KnownBreak("Call to a time function", (2, 15)),
    CUSTOM_OP_WITHOUT_FAKE: KnownBreak("Custom op missing fake impl during tracing", (2, 14)),
    DISABLE_CALLED: KnownBreak("Call to `torch.compiler.disable()`", (2, 14)),
    DYNAMO_DISABLE_CALLED: KnownBreak("Call to `torch._dynamo.disable()`", (2, 14)),
    SKIPPED_IN_GENERATOR: KnownBreak("generator function over a skipped function", (2, 14)),
}
"""By id."""
_BY_TEXT = {known.words: registry_id for registry_id, known in KNOWN.items()} | {
    "Dynamo cache limit exceeded": RECOMPILE_LIMIT
}


def id_of_text(words: str) -> str:
    """The id of a break that was reported without one, as logs of torches without a registry do; empty where it is not known."""
    return _BY_TEXT.get(words, "")


def release(version: str) -> tuple[int, int]:
    """``(2, 15)`` of ``"2.15.0+cu132"``; zeros of what is no version."""
    parts = version.split("+")[0].split(".")[:2]
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 and all(map(is_number, parts)) else (0, 0)
