"""``python -m tests.gpu.operators record OUT.json.xz [NAME…]`` on a GPU, ``… compare IN.json.xz h100 [NAME…]`` anywhere: every operator
of torch's own `op_db` (what torch tests its operators with), each with two of its samples, evaluated and trained in float32
and in bfloat16.

Programs that nobody here wrote, and one for each operator: what a real GPU's torch writes and what we cross-compile. Comparing
takes the same torch; each case in a process forked from one that has everything loaded. Needs ``expecttest``.
"""

import os
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.utils import _pytree as pytree

from tests.gpu.record_cases import record, sets_in_one_order, tried

MODES = ("float32_infer", "float32_train", "bfloat16_train")
_LARGEST = 1 << 20
_DTYPES = {
    "float32": (torch.float32, torch.complex64, torch.int64, torch.bool),
    "bfloat16": (torch.bfloat16,),
}


class Case(NamedTuple):
    """An operator of `op_db` and how it is compiled."""

    operator: str
    mode: str

    @property
    def trains(self) -> bool:
        return self.mode.endswith("_train")

    @property
    def key(self) -> str:
        return f"{self.operator}|{self.mode}"


def operators() -> dict[str, Any]:
    """The entries of torch's table by name and variant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return {f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name: op for op in op_db}


def cases(names: list[str]) -> list[Case]:
    """All, or those of operators named."""
    found = []
    for name, operator in operators().items():
        if names and name not in names:
            continue
        for mode in MODES:
            dtypes = operator.dtypes & set(_DTYPES[mode.partition("_")[0]])
            if dtypes and (operator.supports_autograd or mode == MODES[0]):
                found.append(Case(name, mode))
    return found


class OperatorProgram(torch.nn.Module):
    """Samples of an operator; their tensors are its parameters and buffers."""

    def __init__(self, case: Case, only: int | None = None):
        super().__init__()
        operator = operators()[case.operator]
        wanted = _DTYPES[case.mode.partition("_")[0]]
        dtype = next(dtype for dtype in wanted if dtype in operator.dtypes)
        torch.manual_seed(0)
        samples = list(operator.sample_inputs("cpu", dtype, requires_grad=False))
        small = [sample for sample in samples if _size(sample) < _LARGEST]
        chosen = [small[0], small[len(small) // 2]] if len(small) > 1 else small
        self.function = operator.op
        self.calls = []
        for number, sample in enumerate(chosen if only is None else chosen[only : only + 1]):
            leaves, tree = pytree.tree_flatten((sample.input, *sample.args, sample.kwargs))
            places: list[Any] = []
            for place, leaf in enumerate(leaves):
                name = f"v{number}_{place}"
                if not isinstance(leaf, torch.Tensor):
                    places.append((None, leaf))
                    continue
                places.append((name, None))
                leaf = leaf.detach()
                if case.trains and (leaf.is_floating_point() or leaf.is_complex()):
                    setattr(self, name, torch.nn.Parameter(leaf))
                else:
                    self.register_buffer(name, leaf)
            self.calls.append((places, tree))

    def forward(self):
        outputs = []
        for places, tree in self.calls:
            leaves = [value if name is None else getattr(self, name) for name, value in places]
            *args, kwargs = pytree.tree_unflatten(leaves, tree)
            outputs.append(self.function(*args, **kwargs))
        return outputs


def _size(sample: Any) -> int:
    leaves = pytree.tree_leaves((sample.input, sample.args, sample.kwargs))
    return sum(leaf.numel() for leaf in leaves if isinstance(leaf, torch.Tensor))


def parsed(key: str) -> Case:
    operator, _, mode = key.rpartition("|")
    return Case(operator, mode)


def _compiled_here(case: Case, only: int | None) -> dict[str, Any]:
    """The wrappers that this machine's torch writes for its GPU."""
    from tests.gpu.record import (
        texts_of,  # switches torch's caches off: an operator would get the text of an equal one before it
    )

    model = OperatorProgram(case, only).to("cuda").train(case.trains)
    return {"src": texts_of(model, (), case.trains), "only": only}


def _recorded(key: str) -> dict[str, Any]:
    """Both samples; where one of them fails, the first alone."""
    found: dict[str, Any] = {}
    for only in (None, 0):
        found = tried(lambda only=only: _compiled_here(parsed(key), only))
        if "error" not in found:
            break
    return found


def main() -> int:
    """Record, or compare."""
    what, path, *rest = sys.argv[1:]
    sets_in_one_order("tests.gpu.operators")  # some samples come from sets of strings
    count = int(os.environ.get("PROCESSES", "0")) or os.cpu_count() or 1
    if what == "record":
        record(Path(path), [case.key for case in cases(rest)], count, _recorded)
        return 0
    from tests.gpu.compare_cases import Written, compare

    def written(key: str, found: Any) -> Written:
        made = f"OperatorProgram(Case{tuple(parsed(key))!r}, {found['only']!r})"
        head = "from tests.gpu.operators import Case, OperatorProgram\n"
        return Written(f"{head}net = {made}\n\ndef example_inputs():\n    return ()\n", parsed(key).trains)

    known = {case.key for case in cases(rest[1:])}
    return compare(Path(path), rest[0], known.__contains__, written, count)


if __name__ == "__main__":
    sys.exit(main())
