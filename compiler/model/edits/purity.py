"""Which calls may be left out, or made once instead of twice. What is not known to be safe is not."""

from collections.abc import Iterator, Mapping

from compiler.model.diagrams.diagrams import short_target
from compiler.model.ir.arguments import node_in
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

_KNOWN = ("torch.", "aten.", "prims.", "_operator.", "operator.", "math.", "inductor.")
_ACTS = ("setitem", "copy_", "manual_seed", "print", "probe", "_assert", "delitem")
_OPERATORS_IN_PLACE = frozenset(
    "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift iconcat".split()  # noqa: SIM905
)
"""``_operator.iadd`` writes to a tensor; of a number it does not, which is not looked at."""
_VIEWS = frozenset(
    "view view_as reshape reshape_as flatten unflatten ravel getitem getattr transpose permute t T mT H mH adjoint swapaxes swapdims "  # noqa: SIM905
    "movedim moveaxis unsqueeze squeeze expand expand_as broadcast_to narrow select slice split split_with_sizes chunk tensor_split "
    "hsplit vsplit dsplit unbind diagonal unfold as_strided alias detach contiguous to type type_as float double real imag positive "
    "view_as_real view_as_complex conj dropout".split()
)
"""Calls that may give their first argument itself, or a view of it."""
_NORMS = ("batch_norm", "instance_norm")
_STATISTICS = slice(1, 3)
_RANDOM = (
    "rand",
    "dropout",
    "bernoulli",
    "multinomial",
    "normal",
    "uniform",
    "rrelu",
    "poisson",
    "exponential",
)


def is_pure(node: Node) -> bool:
    """Whether a call does nothing but give its result (random numbers drawn count as a result)."""
    if node.op == "get_attr":
        return True
    if node.op not in ("call_function", "call_method"):
        return False
    if not is_known(node):
        return False
    name = short_target(node)
    if name.startswith(_ACTS) or (name.endswith("_") and not name.endswith("__") and not _is_keyword(name)):
        return False
    if name in _OPERATORS_IN_PLACE and "operator." in node.target:
        return False
    keywords = dict(node.kwargs.items)
    if "out" in keywords or getattr(keywords.get("inplace"), "text", "") == "True":
        return False
    return not (name in _NORMS or _has_inplace_flag(node, name))


def is_known(node: Node) -> bool:
    """Whether it is torch's or Python's: what a library's own call does nobody says."""
    return node.op != "call_function" or node.target.startswith(_KNOWN)


def gives_its_input(node: Node) -> bool:
    """Whether what a call gives may be its first argument, or a view of it."""
    name = short_target(node)
    return name in _VIEWS or (name not in _NORMS and bool(written_inputs(node)))


def written_inputs(node: Node) -> tuple[NodeId, ...]:
    """The nodes whose memory a call may change; all that it is given, of a call that is not known."""
    if not node.op.startswith("call") or is_pure(node):
        return ()
    if not is_known(node):
        return node.inputs()
    keywords = dict(node.kwargs.items)
    given = node.args.items
    if short_target(node) in _NORMS:
        arguments = [*given[_STATISTICS], keywords.get("running_mean"), keywords.get("running_var")]
    else:
        arguments = [*given[:1], keywords.get("input"), keywords.get("out")]
    return tuple(dict.fromkeys(name for item in arguments if (name := node_in(item)) is not None))


def may_share_memory(known: Mapping[NodeId, Node], node: NodeId) -> Iterator[NodeId]:
    """The node and those that it may be a view of, nearest first: whatever its first argument leads to."""
    at: NodeId | None = node
    while at is not None:
        yield at
        here = known[at]
        at = node_in(here.args.items[0]) if here.op.startswith("call") and here.args.items else None


def written_in(graph: Graph) -> frozenset[NodeId]:
    """The nodes that some call may write to, by themselves or through a view."""
    known = graph.by_id()
    return frozenset(
        name
        for node in graph.nodes
        for written in written_inputs(node)
        for name in may_share_memory(known, written)
    )


def _is_keyword(name: str) -> bool:
    """``_operator.and_`` ends so since ``and`` is a keyword."""
    return name in ("and_", "or_", "not_", "is_")


def _has_inplace_flag(node: Node, name: str) -> bool:
    """Whether the last positional argument asks for work in place, as it does where Dynamo spells all of them out."""
    last = node.args.items[-1] if node.args.items else None
    positions = {
        "dropout": 4,
        "relu": 2,
        "leaky_relu": 3,
        "elu": 3,
        "silu": 2,
        "hardtanh": 4,
        "relu6": 2,
        "mish": 2,
    }
    return positions.get(name) == len(node.args.items) and getattr(last, "text", "") == "True"


def draws_random_numbers(node: Node) -> bool:
    """Whether two equal calls may give different results."""
    name = short_target(node)
    return any(part in name for part in _RANDOM) and "normalize" not in name
