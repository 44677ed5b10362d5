"""A graph as plain Python functions that need torch alone: bodies of higher-order operators stand before what calls them."""

import re
from typing import NamedTuple

import torch
import torch.fx

from compiler.engine.causes.subprograms import is_body
from compiler.engine.fx.allowed_targets import is_higher_order

_IMPORTS = {
    "torch": "",
    "device": "from torch import device",
    "inf": "from math import inf",
    "nan": "from math import nan",
}
_CALLS = {
    "cond": """
def call_cond(condition, yes, no, operands):
    return torch.cond(condition, yes, no, operands)
""",
    "while_loop": """
def call_while_loop(condition, body, carried, more=()):
    loop = torch.ops.higher_order.while_loop
    if torch.compiler.is_compiling():
        return loop(lambda *x: condition(*x, *more), lambda *x: body(*x, *more), carried, ())
    return loop(condition, body, carried, more)
""",
    "map_impl": """
def call_map_impl(body, rows, more):
    return torch.ops.higher_order.map_impl(body, rows, more)
""",
    "flex_attention": """
def call_flex_attention(query, key, value, score, mask, scale, options, of_score=(), of_mask=()):
    flex = torch.ops.higher_order.flex_attention
    if not torch.compiler.is_compiling():
        return flex(query, key, value, score, mask, scale, options, of_score, of_mask)
    *blocks, allowed = mask
    mask = (*blocks, lambda *x: allowed(*x, *of_mask))
    return flex(query, key, value, lambda *x: score(*x, *of_score), mask, scale, options)
""",
    "invoke_subgraph": """
def call_invoke_subgraph(body, name, *operands):
    return body(*operands)
""",
    "tag_activation_checkpoint": """
def call_tag_activation_checkpoint(body, *operands, **how):
    return torch.utils.checkpoint.checkpoint(body, *operands, use_reentrant=False)
""",
}
"""How each operator that takes a body is called from plain code; Dynamo hands what a body reads beside its arguments as more of
them, which it takes only out of a closure again.
"""


class UnprintableError(Exception):
    """Something in it has no spelling."""


class Spelled(NamedTuple):
    """The text of a program's function."""

    imports: str
    functions: str
    """The last is called ``program`` and returns a tuple."""


def spelled(module: torch.fx.GraphModule) -> Spelled:
    """Raises UnprintableError."""
    functions, names, calls = _functions(module, "program", "")
    used = {name for name in names if any(re.search(rf"\b{re.escape(name)}\b", text) for text in functions)}
    unknown = used - set(_IMPORTS)
    if unknown:
        raise UnprintableError(f"it calls {', '.join(sorted(unknown))}, which is none of torch's")
    imports = [_IMPORTS[name] for name in sorted(used)]
    if "tag_activation_checkpoint" in calls:
        imports.append("import torch.utils.checkpoint")
    helpers = [_CALLS[name].strip() for name in sorted(calls)]
    return Spelled("\n".join(filter(None, imports)), "\n\n\n".join([*helpers, *functions]))


def _functions(module: torch.fx.GraphModule, name: str, before: str) -> tuple[list[str], set[str], set[str]]:
    """(the texts, what they name, the operators they call)."""
    functions: list[str] = []
    names: set[str] = set()
    calls: set[str] = set()
    code = module.graph.python_code("self")
    text = re.sub(r"def forward\(self,? ?", f"def {name}(", code.src.strip(), count=1)
    text = re.sub(r";  (\w+ = )+None", "", text)  # torch.fx lets go of values early
    head, colon, rest = text.partition(":\n")
    text = re.sub(r" ?: [\w.]+", "", head) + colon + rest  # what Dynamo held while it traced, as annotations
    for node in module.graph.nodes:
        if is_body(node):
            own = f"{before}{str(node.target).replace('.', '_')}_body"
            more, named, called = _functions(getattr(module, str(node.target)), own, f"{own}_")
            if any(user.target is torch.ops.higher_order.invoke_subgraph for user in node.users):
                more[-1] = f"@torch.compiler.nested_compile_region\n{more[-1]}"
            functions += [each for each in more if each not in functions]
            names |= named
            calls |= called
            text = re.sub(rf"\bself\.{re.escape(str(node.target))}\b", own, text)
        elif is_higher_order(node.target):
            operator = str(node.target)
            if operator not in _CALLS:
                raise UnprintableError(
                    f"it calls the higher-order operator {operator}, which plain code of torch's has no call for"
                )
            calls.add(operator)
            text = text.replace(f"torch.ops.higher_order.{operator}(", f"call_{operator}(")
    if "self." in text:
        raise UnprintableError("it reads a tensor that the graph holds")
    return [*functions, text], names | set(code.globals), calls
