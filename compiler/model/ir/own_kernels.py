"""Triton kernels that a program brings. A graph calls each through an operator of torch's, with a number in a table that lives as
long as the process; what the table holds is noted at the node.
"""

import re

from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import is_number

_OPERATORS = tuple(
    f"torch.ops.higher_order.triton_kernel_wrapper_{name}" for name in ("functional", "mutation")
)
_NOTE = re.compile(r"Triton kernel (\S+)")


def is_own_kernel(node: Node) -> bool:
    """Whether a node calls such a kernel."""
    return node.target in _OPERATORS


def numbers_of(node: Node) -> tuple[int, int] | None:
    """Where the table has the kernel, and what it is called with beside tensors."""
    given = dict(node.kwargs.items)
    found = [given.get(name) for name in ("kernel_idx", "constant_args_idx")]
    texts = [item.text for item in found if isinstance(item, ConstantArgument) and is_number(item.text)]
    return (int(texts[0]), int(texts[1])) if len(texts) == 2 else None


def kernel_note(kernel: str, place: str, constants: str) -> str:
    """What is noted at a node of the kernel that it calls; `own_kernel` reads it."""
    return f"Triton kernel {kernel} ({place}){f', with {constants}' if constants else ''}"


def own_kernel(node: Node) -> str:
    """The name of the program's kernel that a node calls; empty for all other nodes, and where no one noted it."""
    if not is_own_kernel(node):
        return ""
    return next((found[1] for text in node.notes if (found := _NOTE.match(text))), "")


def is_kernel_note(text: str) -> bool:
    """Whether a note is of such a kernel."""
    return _NOTE.match(text) is not None
