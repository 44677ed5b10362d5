"""Which matrix products a GPU padded, from the wrappers that were recorded there."""

import re
from collections.abc import Callable, Iterable

from compiler.model.capture.capture import Capture
from compiler.model.capture.gpu_assumptions import PADDING, Assumption
from compiler.model.capture.padding_record import written
from compiler.model.ir.stage import WrapperStage

_PADDED = re.compile(
    r"%constant_pad_nd_default\w* : Tensor \"\w+\[([\d, ]+)\].*?constant_pad_nd\.default\]\(args = \((%\w+), \[([\d, ]+)\]"
)
"""A node that ``pad_mm`` makes: its sizes, what it pads, and what it adds, last dimension first."""
_ROUNDS, _TRIALS = 4, 12

Operand = tuple[tuple[int, ...], tuple[int, int]]
"""Its sizes unpadded, and how much its rows and its columns grow."""


def padded_operands(texts: Iterable[str]) -> set[tuple[str, Operand]]:
    """What was padded in these wrappers, by name."""
    found: set[tuple[str, Operand]] = set()
    for text in texts:
        for sizes, name, pads in _PADDED.findall(text):
            size, added = _numbers(sizes), _numbers(pads)
            rows, columns = added[3], added[1]
            found.add((name, ((*size[:-2], size[-2] - rows, size[-1] - columns), (rows, columns))))
    return found


def is_padded(product: str, operands: set[Operand]) -> bool:
    """Whether all factors of a product (`padding_record.product_of`) that padding would change were padded."""
    _, dtype, *tensors = product.split()
    first, second = (_numbers(text.partition(":")[0]) for text in tensors[:2])
    aligned = 4 if dtype == "float32" else 8
    m, k, n = (0 if size == 1 else -size % aligned for size in (first[-2], first[-1], second[-1]))
    wanted = {(size, added) for size, added in ((first, (m, k)), (second, (k, n))) if any(added)}
    return wanted <= operands


def as_recorded(
    texts: list[str], capture: Callable[[tuple[Assumption, ...]], Capture | None]
) -> Capture | None:
    """A capture in which each product is padded that the GPU padded. What is padded changes what comes after it, so it is asked again;
    of products whose factors have the same sizes the names of what was padded tell which it was, by trying.
    """
    wanted = padded_operands(texts)
    operands = {operand for _, operand in wanted}
    made = capture(((PADDING, "no"),))
    decided: dict[str, bool] = {}
    for _ in range(_ROUNDS if operands else 0):
        asked = {row.product for row in made.assumed if row.product} if made is not None else set()
        if asked <= decided.keys():
            break
        decided |= {product: is_padded(product, operands) for product in sorted(asked - decided.keys())}
        made = capture(((PADDING, written("the recording", decided)),))
    missed = _unlike(made, wanted)
    for product in sorted((product for product, padded in decided.items() if padded))[:_TRIALS]:
        if not missed:
            break
        trial = decided | {product: False}
        other = capture(((PADDING, written("the recording", trial)),))
        if (now := _unlike(other, wanted)) <= missed:  # as few as will do
            made, decided, missed = other, trial, now
    return made


def _unlike(made: Capture | None, wanted: set[tuple[str, Operand]]) -> int:
    if made is None:
        return len(wanted)
    stages = (stage.content for stage in made.stages)
    found = padded_operands(stage.code.text for stage in stages if isinstance(stage, WrapperStage))
    return len(found ^ wanted)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part.strip())
