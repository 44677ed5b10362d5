"""Which calls may be left out, or made once instead of twice. What is not known to be safe is not."""

from compiler.model.diagrams.diagrams import short_target
from compiler.model.ir.arguments import Argument, ConstantArgument, nodes_in
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId

_KNOWN = ("torch.", "aten.", "prims.", "_operator.", "operator.", "math.", "inductor.")
_ACTS = ("manual_seed", "print", "probe", "_assert", "delitem")
IN_PLACE_OPERATORS = frozenset((
    "setitem", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor",
    "imatmul", "ilshift", "irshift",
))  # fmt: skip
"""``x[0] = y``, ``x += y``: of Python's operators those that write to their first argument."""
NORMS = frozenset((
    "batch_norm", "instance_norm", "native_batch_norm", "_native_batch_norm_legit", "cudnn_batch_norm",
    "miopen_batch_norm",
))  # fmt: skip
"""They move running averages in training; their result is memory of its own."""
_TRAINING_AT, _MAX_NORM_AT = 5, 3
_RANDOM = (
    "rand", "dropout", "bernoulli", "multinomial", "normal", "uniform", "rrelu", "poisson", "exponential", "binomial", "geometric",
    "cauchy", "multi_head_attention", "fractional_max_pool", "gumbel", "seeds",
)  # fmt: skip
_NOT_RANDOM = "normalize", "norm_except", "exponential_fit"
_INPLACE_AT = {
    **dict.fromkeys(("relu", "relu6", "silu", "mish", "hardswish", "hardsigmoid", "selu"), 2),
    **dict.fromkeys(("leaky_relu", "elu", "celu"), 3),
    **dict.fromkeys(
        (
            "dropout",
            "dropout1d",
            "dropout2d",
            "dropout3d",
            "alpha_dropout",
            "feature_alpha_dropout",
            "hardtanh",
            "threshold",
        ),
        4,
    ),
    "rrelu": 5,
}
"""How many arguments such a function of torch.nn.functional has, of which the last asks for work in place."""


def is_pure(node: Node) -> bool:
    """Whether a call does nothing but give its result (random numbers drawn count as a result)."""
    if node.op == "get_attr":
        return True
    if node.op not in ("call_function", "call_method"):
        return False
    if node.op == "call_function" and not node.target.startswith(_KNOWN):
        return False
    return not short_target(node).startswith(_ACTS) and not works_in_place(node) and not written_by(node)


def written_by(node: Node) -> tuple[NodeId, ...]:
    """The arguments that a call writes to; those of a call that is not known may all be."""
    if node.op not in ("call_function", "call_method"):
        return ()
    if node.op == "call_function" and not node.target.startswith(_KNOWN):
        return node.inputs()
    written = [node.args.items[0]] if works_in_place(node) and node.args.items else []
    written += [item for key, item in node.kwargs.items if key == "out"]
    written += [*_statistics(node), *_renormed(node)]
    return tuple(dict.fromkeys(name for item in written for name in nodes_in(item)))


def works_in_place(node: Node) -> bool:
    """``relu_``, ``+=``, ``x[0] = y``, or ``hardtanh`` that is asked to (`inplace=True`, which torch's modules give by place): it
    writes to its first argument.
    """
    name = short_target(node)
    if name in IN_PLACE_OPERATORS or (
        name.endswith("_") and not name.endswith("__") and not _is_keyword(name)
    ):
        return True
    return _text_of(dict(node.kwargs.items).get("inplace")) == "True" or _has_inplace_flag(node, name)


def _statistics(node: Node) -> list[Argument]:
    """The running averages that a norm in training moves."""
    if short_target(node) not in NORMS:
        return []
    items, keywords = node.args.items, dict(node.kwargs.items)
    training = keywords.get("training", items[_TRAINING_AT] if len(items) > _TRAINING_AT else None)
    if _text_of(training) == "False":
        return []
    at = 1 if node.target.startswith("torch.nn.functional.") else 3
    named = (keywords[key] for key in ("running_mean", "running_var") if key in keywords)
    return [*items[at : at + 2], *named]


def _renormed(node: Node) -> tuple[Argument, ...]:
    """The weight of an embedding whose rows are scaled down where they are used."""
    if short_target(node) not in ("embedding", "embedding_bag"):
        return ()
    items, keywords = node.args.items, dict(node.kwargs.items)
    limit = keywords.get("max_norm", items[_MAX_NORM_AT] if len(items) > _MAX_NORM_AT else None)
    if limit is None or _text_of(limit) == "None":
        return ()
    return items[1:2] or tuple(keywords[key] for key in ("weight",) if key in keywords)


def _text_of(argument: Argument | None) -> str:
    return argument.text if isinstance(argument, ConstantArgument) else ""


def _is_keyword(name: str) -> bool:
    """``_operator.and_`` ends so since ``and`` is a keyword."""
    return name in ("and_", "or_", "not_", "is_")


def _has_inplace_flag(node: Node, name: str) -> bool:
    """Whether the last positional argument asks for work in place, as it does where Dynamo spells all of them out."""
    items = node.args.items
    return bool(items) and _INPLACE_AT.get(name) == len(items) and _text_of(items[-1]) == "True"


def draws_random_numbers(node: Node) -> bool:
    """Whether two equal calls may give different results."""
    name = short_target(node)
    if name == "scaled_dot_product_attention":
        rate = dict(node.kwargs.items).get(
            "dropout_p", node.args.items[4] if len(node.args.items) > 4 else None
        )
        return rate is not None and _text_of(rate) not in ("0", "0.0")
    return is_random_name(name)


def is_random_name(name: str) -> bool:
    """Whether a function of this name draws random numbers."""
    return any(part in name for part in _RANDOM) and not any(part in name for part in _NOT_RANDOM)
