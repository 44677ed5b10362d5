"""Kernels by what and where they compute: ``relu+dropout · model.py:23 · layers.3``. No two of a program are called alike."""

from collections import Counter
from collections.abc import Iterable, Mapping

from compiler.analysis.line_times.kernel_origins import KernelOrigin
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.ir.ids import Place

_MOST = 3
"""Operations that are named; the last ones, which the others lead to, are the telling ones as often as the first."""


def kernel_names(
    kernels: Iterable[tuple[Place, str]], origins: Mapping[Place, KernelOrigin]
) -> dict[Place, str]:
    """A name for each kernel, given by its place and torch's name, which it keeps where nothing is known of it. Equal names
    are numbered in the given order.
    """
    rows = list(kernels)
    names = [_name(name, origins.get(location, KernelOrigin())) for location, name in rows]
    alike, met = Counter(names), Counter[str]()
    found: dict[Place, str] = {}
    for (location, _), name in zip(rows, names, strict=True):
        met[name] += 1
        what, dot, rest = name.partition(" · ")
        numbered = f"{what} {met[name]}/{alike[name]}{dot}{rest}" if alike[name] > 1 else name
        found[location] = numbered
    return found


def _name(name: str, origin: KernelOrigin) -> str:
    if not origin.operations:
        return visible_line(name)
    shown = origin.operations[:_MOST]
    more = len(origin.operations) - len(shown)
    what = "+".join(shown) + (f"+{more} more" if more else "")
    what += " backward" if origin.backward else ""
    return visible_line(" · ".join(filter(None, (what, _where(origin), _module(origin.modules)))))


def _where(origin: KernelOrigin) -> str:
    """``model.py:23``; of several lines the first, and how many more."""
    lines = dict.fromkeys((stack[-1].path, stack[-1].line) for stack in origin.stacks)
    if not lines:
        return ""
    path, line = next(iter(lines))
    more = f" +{len(lines) - 1}" if len(lines) > 1 else ""
    return f"{path.rpartition('/')[2]}:{line}{more}"


def _module(modules: tuple[str, ...]) -> str:
    """The module that holds all of it; of several in a row (a layer's end and the next one's beginning) both."""
    if len(modules) <= 1:
        return modules[0] if modules else ""
    split = [module.split(".") for module in modules]
    common = []
    for names in zip(*split, strict=False):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    if common and any(part.isdigit() for part in common):
        return ".".join(common)
    return modules[0] + (f" +{len(modules) - 1}" if len(modules) > 1 else "")
