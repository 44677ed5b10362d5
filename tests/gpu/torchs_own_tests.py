"""``python -m tests.gpu.torchs_own_tests TEST_FILE LINES [NAME…]``: the programs of torch's own Inductor tests (its
``test/inductor/test_torchinductor.py``, which no wheel holds), each captured, edited and judged as `every_verdict` does, and
its generated code held against that of plain ``torch.compile``. A row a verdict in the file LINES.

``DEVICE=cuda``, ``DYNAMIC=1``, ``MODE=reduce-overhead``, ``SHARE=n/m`` (every m-th test from the n-th on), ``LIMIT`` in seconds.
A test's own expectations (how many kernels were made) fail, since its program is compiled more than once here: they are left out.
"""

import json
import os
import re
import sys
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch._inductor.utils import run_and_get_code
from torch.utils import _pytree as pytree

from compiler.api import Capture, LoupeError, capture
from compiler.engine.equal_tensors import same_numbers
from tests.gpu.every_verdict import _calls, _is_good, _judged, _kernels, _operators
from tests.helpers.module_from_file import module_from

_SECONDS = 60.0
"""No further edit of a program is judged after this time."""
_DEVICE = os.environ.get("DEVICE", "cpu")
_OPTIONS: dict[str, Any] = {
    "mode": os.environ.get("MODE"),
    "dynamic": True if os.environ.get("DYNAMIC") else None,
}


class _Judging:
    """Stands for the function that a test calls with its program."""

    def __init__(self, lines: Path, copied: Callable[..., torch.Tensor]) -> None:
        self._lines, self._copied = lines, copied
        self._counts: dict[str, int] = {}

    def note(self, **row: Any) -> None:
        """A run may be cut off."""
        with self._lines.open("a") as lines:
            lines.write(json.dumps(row) + "\n")

    def __call__(self, test: Any, model: Any, given: Any, kwargs: Any = None) -> None:
        own = test._testMethodName
        name = f"{own}#{self._counts.setdefault(own, 0)}"
        self._counts[own] += 1
        model = model.to(_DEVICE) if hasattr(model, "to") else model
        inputs, keywords = tuple(self._copy(value) for value in given), dict(kwargs or {})
        try:
            model(*map(self._copy, inputs), **keywords)
        except Exception as error:
            self.note(name=name, skipped=f"{type(error).__name__}: {error}"[:200])
            return
        for train in (False, True) if _is_trained(model, inputs) else (False,):
            self._judge(name, model, inputs, keywords, train)

    def _copy(self, value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return self._copied(value.detach(), device=_DEVICE).requires_grad_(value.requires_grad)

    def _judge(
        self, name: str, model: Any, inputs: tuple[Any, ...], keywords: dict[str, Any], train: bool
    ) -> None:
        plain = [self._plain(model, inputs, keywords, grad) for grad in (True, False)]
        fails = all(isinstance(each, Exception) for each in plain)
        torch._dynamo.reset()
        held, started = [self._copy(value) for value in inputs], time.monotonic()
        try:
            captured = capture(model, *inputs, kwargs=keywords, train=train, **_OPTIONS)
        except LoupeError as error:
            self.note(name=name, train=train, refused=str(error)[:600])
            return
        for edit in (*_kernels(captured), *_calls(captured), *_operators(captured)):
            row = _judged(captured, *edit)
            good = "fails without the edit too" in row.get("refused", "") if fails else _is_good(row)
            self.note(name=name, train=train, good=good, **row)
            if time.monotonic() - started > _SECONDS:
                break
        moved = [
            index
            for index, (one, other) in enumerate(zip(held, inputs, strict=True))
            if isinstance(one, torch.Tensor) and not same_numbers(one.detach(), other.detach())
        ]
        if moved:
            self.note(name=name, train=train, moved=moved)
        if fails:
            self.note(name=name, train=train, plain_fails=f"{type(plain[0]).__name__}: {plain[0]}"[:200])
        else:
            same = _texts(captured) in plain
            self.note(name=name, train=train, text_equal=same, kernels=len(captured.kernels))

    def _plain(
        self, model: Any, inputs: tuple[Any, ...], keywords: dict[str, Any], grad: bool
    ) -> list[str] | Exception:
        """What torch.compile generates by itself, or what a step then fails with: under CUDA graphs the second records, the third
        replays.
        """

        def step() -> None:
            with torch.set_grad_enabled(grad):
                compiled: Callable[..., Any] = torch.compile(model, **_OPTIONS)
                found = compiled(*map(self._copy, inputs), **keywords)
                ends = [value for value in pytree.tree_leaves(found) if _asks(value)]
                if ends:
                    torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])

        torch._dynamo.reset()
        with torch._inductor.config.patch(fx_graph_cache=False):
            try:
                _, texts = run_and_get_code(step)
                for _ in range(2):
                    step()
            except Exception as error:
                return error
        return sorted(map(_without_remarks, texts))


def _asks(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def _is_trained(model: Any, inputs: tuple[Any, ...]) -> bool:
    parameters = model.parameters() if isinstance(model, torch.nn.Module) else ()
    return any(map(_asks, (*inputs, *parameters)))


def _texts(captured: Capture) -> list[str]:
    stages = (stage.id for stage in captured.data.stages if stage.id.endswith(":wrapper"))
    return sorted(_without_remarks(captured[stage].text) for stage in stages)


def _without_remarks(text: str) -> str:
    """Remarks name files and symbols, the header is another file each time, and a symbol's number is that of its name's hash."""
    text = re.sub(r'"""\s*# kernel path.*|#include ".*"|/tmp/\S+', "", text)
    text = re.sub(r"\bs\d+\b", "s", text)
    lines = (line.split("  # ")[0].rstrip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _tests(module: Any, judging: _Judging) -> Iterator[unittest.TestCase]:
    class Judged(module.TestCase):  # type: ignore[misc]  # torch's own
        device = _DEVICE

        def common(self, model: Any, given: Any, kwargs: Any = None, **_: Any) -> None:
            judging(self, model, given, kwargs)

    module.copy_tests(module.CommonTemplate, Judged, _DEVICE)
    first, step = map(int, os.environ.get("SHARE", "0/1").split("/"))
    for name in sorted(name for name in dir(Judged) if name.startswith("test_"))[first::step]:
        yield Judged(name)


def main(file: str, lines: str, *wanted: str) -> int:
    """Judge all, and say how many verdicts are as they should be."""
    module = module_from(Path(file).resolve())
    judging = _Judging(Path(lines), module.clone_preserve_strides_offset)
    until = time.monotonic() + float(os.environ.get("LIMIT", "inf"))
    for test in _tests(module, judging):
        name = test.id().rpartition(".")[2]
        if time.monotonic() > until:
            break
        if not wanted or any(part in name for part in wanted):
            judging.note(name=name, begun=True)
            test.run(unittest.TestResult())
    rows = [json.loads(line) for line in Path(lines).read_text().splitlines()]
    good, texts = ([row[key] for row in rows if key in row] for key in ("good", "text_equal"))
    print(
        f"{sum(good)} of {len(good)} verdicts as wanted, {sum(texts)} of {len(texts)} programs' code as plain"
    )
    return 0 if all(good) and all(texts) else 1


if __name__ == "__main__":
    status = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)
