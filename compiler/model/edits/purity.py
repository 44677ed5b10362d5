"""Which calls may be left out, or made once instead of twice. What is not known to be safe is not."""

from compiler.model.diagrams.diagrams import short_target
from compiler.model.ir.graph import Node

_KNOWN = ("torch.", "aten.", "prims.", "_operator.", "operator.", "math.", "inductor.")
_ACTS = ("setitem", "copy_", "manual_seed", "print", "probe", "_assert", "delitem")
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
    if node.op == "call_function" and not node.target.startswith(_KNOWN):
        return False
    name = short_target(node)
    if name.startswith(_ACTS) or (name.endswith("_") and not name.endswith("__") and not _is_keyword(name)):
        return False
    keywords = dict(node.kwargs.items)
    if "out" in keywords or getattr(keywords.get("inplace"), "text", "") == "True":
        return False
    return not (name in ("batch_norm", "instance_norm") or _has_inplace_flag(node, name))


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
