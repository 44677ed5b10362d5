"""Reader: why code was compiled for one size of a dimension only: a line that torch noted, a mark, a rule of torch's."""

import re
from collections.abc import Iterator

from compiler.model.capture.guards import FixedSize, GuardTree

_SIZE = re.compile(r"size of dimension (\d+): expected (\d+)")
"""As the failure is worded."""
_MARKED = re.compile(r"'_dynamo_static_indices', set\(\)\)\.issubset\(\{([\d, ]*)\}\)")
_ALWAYS = ("0", "1")


def fixed_sizes(tree: GuardTree, source: str, reason: str) -> tuple[FixedSize, ...]:
    """Of each size in the reason, as far as torch noted it or has a rule for it."""
    return tuple(
        fixed for dimension, size in _SIZE.findall(reason) for fixed in _fixed(tree, source, dimension, size)
    )


def _fixed(tree: GuardTree, source: str, dimension: str, size: str) -> Iterator[FixedSize]:
    what = f"dimension {dimension} was fixed to {size}"
    asked = f"{source}.size()[{dimension}]"
    for symbol in tree.symbols:
        if asked in symbol.sources:
            if symbol.specialised == size:
                line = symbol.specialised_at
                by = (line.text if line is not None else "") or symbol.specialised_by
                yield FixedSize(f"{what} by {by}" if by else what, line)
            return
    if size in _ALWAYS:
        yield FixedSize(f"{what}, as torch.compile always does with 0 and 1")
    elif _is_marked(tree, source, dimension):
        yield FixedSize(f"{what}, since the tensor is marked so (torch._dynamo.mark_static)")
    elif _is_first(tree):
        yield FixedSize(f"{what}, as every size is when a frame is compiled for the first time")


def _is_marked(tree: GuardTree, source: str, dimension: str) -> bool:
    marks = (
        match.group(1).split(", ")
        for node in tree.nodes
        if node.source == source
        for leaf in node.leaves
        for code in leaf.code
        if (match := _MARKED.search(code))
    )
    return any(dimension in marked for marked in marks)


def _is_first(tree: GuardTree) -> bool:
    """Where a mark, a profile or ``dynamic=True`` made any size a symbol, another that is none may have its own reason."""
    return tree.compile_id.endswith("/0") and not tree.symbols
