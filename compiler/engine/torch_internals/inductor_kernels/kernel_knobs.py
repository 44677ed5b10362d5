"""Turning Inductor's knobs for single kernels, and trying what each of them does to the code of one."""

import contextlib
import copy
import difflib
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import torch._inductor.config
from torch._inductor import utils
from torch._inductor.cpu_vec_isa import pick_vec_isa
from torch._inductor.virtualized import V
from torch.utils._ordered_set import OrderedSet

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.patch.patching import around
from compiler.engine.torch_internals.patch.setting_comments import comment_on
from compiler.model.edits.kernel_knobs import KNOBS, LOOP_ORDER, KnobState, order_of
from compiler.model.ir.loop_ir import KnobChoice, KnobValue

GIVES = "knobs of single kernels: vectors, tiling, threads, loop order"
NEEDS = (
    "torch._inductor.codegen.cpp:CppScheduling.codegen_node",
    "torch._inductor.codegen.cpp:CppScheduling.reset_kernel_group",
    "torch._inductor.scheduler:pick_loop_order",
    "torch._inductor.ir:ComputedBuffer.simplify_and_reorder",
    "torch._inductor.config:patch",
)


_MOST_PERMUTED = 4
"""Dimensions whose orders are all offered."""


@contextlib.contextmanager
def turning(choices: tuple[KnobChoice, ...]) -> Iterator[None]:
    """While this is entered, kernels that run these nodes are generated with the knobs turned; all others as ever."""
    if not choices:
        yield
        return
    orders = {row.node: order_of(row.value) for row in choices if row.knob == LOOP_ORDER}

    def generate(scheduling: Any, node: Any, *, original: Any) -> Any:
        names = _names(node)
        chosen = {row.knob: row.value for row in choices if row.node in names and row.knob != LOOP_ORDER}
        with torch._inductor.config.patch(chosen):
            return original(scheduling, node)

    with around(NEEDS[0], generate), _ordering(lambda node, sizes, order: orders.get(node, order)):
        yield


class Answered(BaseException):
    """Ends a compile that was begun only to ask. No Exception, or torch would take it for a failure of its own."""


class Trial:
    """What was found out about the kernels of some nodes."""

    def __init__(self, nodes: tuple[str, ...]) -> None:
        self._wanted = set(nodes)
        self._orders: dict[str, tuple[int, ...]] = {}
        self._lines: dict[str, dict[KnobValue, int]] = {knob.name: {} for knob in KNOBS}
        self._defaults: dict[str, str] = {}

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """While this is entered, the compile ends with `Answered` when the kernels of all nodes were tried."""

        def generate(scheduling: Any, node: Any, *, original: Any) -> Any:
            if self._wanted & _names(node):
                self._try(lambda: _code(scheduling, node, original))
                self._wanted -= _names(node)
                if not self._wanted:
                    raise Answered
            return original(scheduling, node)

        def note(node: str, sizes: Any, order: tuple[int, ...]) -> tuple[int, ...]:
            if node in self._wanted:
                self._orders[node] = order
            return order

        # inside the knobs turned already, so that what is tried comes on top of them
        with around(NEEDS[0], generate), _ordering(note):
            yield

    def states(self) -> tuple[KnobState, ...]:
        """One for each knob, in order."""
        rows = []
        for knob in KNOBS:
            if knob.name == LOOP_ORDER:
                rows.append(self._order_state())
                continue
            changes = tuple(self._lines[knob.name].items())
            default = self._defaults.get(knob.name, "")
            rows.append(KnobState(knob.name, default, comment_on(knob.name), changes))
        return tuple(rows)

    def _order_state(self) -> KnobState:
        """Orders of two and more dimensions, where all nodes asked about have the same. Their code is not tried: other
        orders make other loop IR.
        """
        found = set(self._orders.values())
        order = next(iter(found)) if len(found) == 1 else ()
        others = permutations(sorted(order)) if len(order) <= _MOST_PERMUTED else [tuple(reversed(order))]
        changes = tuple((", ".join(map(str, other)), 0) for other in others if other != order)
        return KnobState(
            LOOP_ORDER, ", ".join(map(str, order)), comment_on("pick_loop_orders"), changes if order else ()
        )

    def _try(self, generate: Callable[[], str]) -> None:
        generate()  # the first time, loops may be split for good
        plain = generate()
        for knob in KNOBS:
            if knob.name == LOOP_ORDER or not _is_setting(knob.name):
                continue
            self._defaults[knob.name] = _format_setting(knob.name)
            for value in knob.values:
                with torch._inductor.config.patch({knob.name: value}):
                    changed = _changed_lines(plain, generate())
                if changed:
                    known = self._lines[knob.name]
                    known[value] = known.get(value, 0) + changed
        if generate() != plain:
            remedy = "Choose another kernel, or change the source of this one."
            what = "Generating this kernel's code again and again changes it, so its knobs cannot be tried one by one."
            raise EngineError(what, remedy)


def _names(node: Any) -> set[str]:
    return {str(part.get_name()) for part in node.get_nodes()}


def _code(scheduling: Any, node: Any, codegen: Any) -> str:
    """The function that a node alone would be."""
    kept = scheduling.kernel_group
    scheduling.reset_kernel_group()
    try:
        with _kept(V.graph), _kept(V.graph.wrapper_code), _kept(V.graph.scheduler):
            codegen(scheduling, node)
            return str(scheduling.kernel_group.codegen_group())
    finally:
        scheduling.kernel_group = kept


@contextlib.contextmanager
def _kept(owner: Any) -> Iterator[None]:
    """Put back what an object notes in its own collections: which buffers are used in place, freed or left out."""
    noted = {
        name: copy.copy(value)
        for name, value in vars(owner).items()
        if isinstance(value, dict | list | set | OrderedSet)
    }
    try:
        yield
    finally:
        vars(owner).update(noted)


def _changed_lines(before: str, after: str) -> int:
    if before == after:
        return 0
    rows = difflib.ndiff(before.split("\n"), after.split("\n"))
    return sum(row.startswith("+ ") for row in rows) or 1


def _is_setting(name: str) -> bool:
    try:
        return name in torch._inductor.config.get_config_copy()
    except AttributeError:
        return False


def _format_setting(name: str) -> str:
    """What a setting comes to when it is left alone."""
    value = torch._inductor.config.get_config_copy()[name]
    if name == "cpp.simdlen" and value is None:
        width = pick_vec_isa().bit_width()
        return f"vectors of {width} bits" if width else "no vectors"
    if name == "cpp.threads" and value < 1:
        return f"{utils.parallel_num_threads()}, torch's number of threads"
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@contextlib.contextmanager
def _ordering(choose: Callable[[str, Any, tuple[int, ...]], tuple[int, ...]]) -> Iterator[None]:
    """Let `choose` say the order of a node's loops over its result's dimensions: given its name, their sizes and torch's
    order. An order of another number of dimensions is left alone.
    """
    current: list[str] = []

    def reorder(buffer: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        current.append(str(getattr(buffer, "operation_name", None) or ""))
        try:
            return original(buffer, *args, **kwargs)
        finally:
            current.clear()

    def pick(strides: Any, sizes: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        order = original(strides, sizes, *args, **kwargs)
        name = current.pop() if current else ""  # the second time it is about the reduced dimensions
        if not name:
            return order
        chosen = choose(name, sizes, tuple(reversed(order)))
        return list(reversed(chosen)) if len(chosen) == len(order) else order

    with around(NEEDS[3], reorder), around(NEEDS[2], pick):
        yield
