"""Kernels of two captures, or of two compiles: gone, new, the same but for names, or with another text."""

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import Stage

_NUMBER_AT_END = re.compile(r"(_\d+)+(#\d+)?$")
_IN_CACHE = re.compile(r"/(?=[a-z0-9]{2}/[a-z0-9]{20,}\.)")
"""What begins with a sign that is rare is found fast: every kernel of two captures is looked through while a person waits."""
_AROUND_PATHS = " \t\n\r\f\v\"'<"


class KernelRef(msgspec.Struct, frozen=True):
    """One call of one kernel."""

    stage: StageId
    kernel: NodeId


class KernelChange(msgspec.Struct, frozen=True):
    """A kernel that became another: the one whose place it takes has another text."""

    before: KernelRef
    after: KernelRef


class KernelDiff(msgspec.Struct, frozen=True):
    """How the kernels differ; all empty where the same code runs the same number of times."""

    gone: tuple[KernelRef, ...] = ()
    new: tuple[KernelRef, ...] = ()
    changed: tuple[KernelChange, ...] = ()
    renamed: tuple[KernelChange, ...] = ()
    """The same text, called by another name."""

    @property
    def same(self) -> bool:
        """Whether the same code runs."""
        return not (self.gone or self.new or self.changed)


def kernels_of(stages: Iterable[Stage]) -> list[tuple[KernelRef, Kernel]]:
    """All calls of kernels in these stages, in order."""
    return [(KernelRef(stage.id, kernel.id), kernel) for stage in stages for kernel in stage.kernels]


def compare_kernels(
    before: Iterable[Stage], after: Iterable[Stage], counterpart: Callable[[StageId], StageId]
) -> KernelDiff:
    """What differs from the kernels of some stages to those of others.

    `counterpart` names the stage after that a stage before became; empty where it is gone. The same text counts as the
    same kernel wherever it is called; one of another text must stand in the counterpart to be its successor.
    """
    old, new = kernels_of(before), kernels_of(after)
    pairs = _pairs(old, new, counterpart)
    left = set(pairs.values())
    changed, renamed = [], []
    for a, b in pairs.items():
        change = KernelChange(old[a][0], new[b][0])
        if plain_text(old[a][1]) != plain_text(new[b][1]):
            changed.append(change)
        elif old[a][1].name != new[b][1].name:
            renamed.append(change)
    return KernelDiff(
        tuple(ref for index, (ref, _) in enumerate(old) if index not in pairs),
        tuple(ref for index, (ref, _) in enumerate(new) if index not in left),
        tuple(changed),
        tuple(renamed),
    )


def _pairs(
    old: list[tuple[KernelRef, Kernel]],
    new: list[tuple[KernelRef, Kernel]],
    counterpart: Callable[[StageId], StageId],
) -> dict[int, int]:
    """The same text in the counterpart, else anywhere; else the same kind of name there; else the one of that number."""
    texts_old = [plain_text(kernel) for _, kernel in old]
    texts_new = [plain_text(kernel) for _, kernel in new]
    homes_old = [counterpart(ref.stage) for ref, _ in old]
    homes_new = [ref.stage for ref, _ in new]
    found: dict[int, int] = {}
    _join(found, zip(homes_old, texts_old, strict=True), zip(homes_new, texts_new, strict=True))
    _join(found, texts_old, texts_new)
    generated_old = [home if kernel.source else "" for home, (_, kernel) in zip(homes_old, old, strict=True)]
    generated_new = [home if kernel.source else "" for home, (_, kernel) in zip(homes_new, new, strict=True)]
    names_old = [_NUMBER_AT_END.sub("", kernel.name) for _, kernel in old]
    names_new = [_NUMBER_AT_END.sub("", kernel.name) for _, kernel in new]
    _join(
        found,
        [(home, name) if home else None for home, name in zip(generated_old, names_old, strict=True)],
        [(home, name) if home else None for home, name in zip(generated_new, names_new, strict=True)],
    )
    _join(found, [home or None for home in generated_old], [home or None for home in generated_new])
    return dict(sorted(found.items()))


def _join(found: dict[int, int], before: Iterable[object], after: Iterable[object]) -> None:
    """Match equal keys of what is left, in order; None matches nothing."""
    taken = set(found.values())
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for index, key in enumerate(after):
        if index not in taken and key is not None:
            waiting[key].append(index)
    for index, key in enumerate(before):
        if index not in found and key is not None and waiting[key]:
            found[index] = waiting[key].pop(0)


def plain_text(kernel: Kernel) -> str:
    """The source without what differs from run to run; a library call has its name alone."""
    text = kernel.source or kernel.name
    return without_cache_folder(text.replace(kernel.name, "KERNEL") if kernel.source else text)


def without_cache_folder(text: str) -> str:
    """A generated text without the folder of Inductor's cache: it differs from person to person, what its files are called
    does not.
    """
    kept, done = [], 0
    for found in _IN_CACHE.finditer(text):
        begin = max(text.rfind(sign, done, found.start()) for sign in _AROUND_PATHS) + 1
        kept.append(text[done : max(begin, done)])
        done = found.end()
    return "".join((*kept, text[done:])) if kept else text


def kernel_text_diff(before: Kernel, after: Kernel) -> str:
    """A unified diff of two sources; empty where they differ in their name alone."""
    lines = difflib.unified_diff(
        plain_text(before).replace("KERNEL", after.name).splitlines(),
        plain_text(after).replace("KERNEL", after.name).splitlines(),
        before.name,
        after.name,
        lineterm="",
    )
    return "\n".join(lines)


def kernel_at(capture: Capture, ref: KernelRef) -> Kernel:
    """The kernel that is meant. Raises KeyError."""
    for kernel in capture.stage(ref.stage).kernels:
        if kernel.id == ref.kernel:
            return kernel
    raise KeyError(ref.kernel)
