"""What the tools over a table of models have in common: ``record OUT.json.xz [KIND…]`` on a GPU, ``compare IN.json.xz h100 [KIND…]``,
``look OUT.json h100 [KIND…]`` and ``try OUT.json [KIND…]`` anywhere; each small model evaluated in bfloat16 and trained in float32.

What a real GPU's torch writes against what we cross-compile, with the same torch; what captures are like, with any; and which of them
run on a CPU without torch.compile.
"""

import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from torch.utils import _pytree as pytree

from tests.gpu.each_in_a_process import EachInAProcess
from tests.gpu.record_cases import record, sets_in_one_order, tried

MODES = ("train", "infer")


class Cases:
    """Models that a class makes from the name of a kind and whether it is in half precision; they hold their inputs as `given`.
    `packages`: what a process that is forked for each has imported before.
    """

    def __init__(self, model: type, packages: tuple[str, ...]) -> None:
        self.model, self.packages = model, packages

    def compiled_here(self, key: str) -> dict[str, Any]:
        """The wrappers that this machine's torch writes for its GPU, and what it padded."""
        return tried(lambda: self._compiled(key))

    def run_here(self, key: str) -> dict[str, Any]:
        """What a model is like without torch.compile, on the CPU."""
        return tried(lambda: self._run(key))

    def written(self, key: str, _found: Any = None) -> Any:
        """As a module's text."""
        from tests.gpu.compare_cases import Written

        kind, trains = parsed(key)
        name = self.model.__name__
        made = f"net = {name}({kind!r}, half={not trains})\n"
        given = "\ndef example_inputs():\n    return net.given\n"
        return Written(f"from {self.model.__module__} import {name}\n{made}{given}", trains)

    def _compiled(self, key: str) -> dict[str, Any]:
        from tests.gpu.record import texts_and_padding  # switches torch's caches off

        kind, trains = parsed(key)
        model = self.model(kind, half=not trains)
        given = tuple(value.to("cuda") for value in model.given)
        with _one_configuration():
            texts, padded = texts_and_padding(model.to("cuda").train(trains), given, trains)
        return {"src": texts, "padded": padded}

    def _run(self, key: str) -> dict[str, Any]:
        began = time.perf_counter()
        kind, trains = parsed(key)
        model = self.model(kind, half=not trains).train(trains)
        built = time.perf_counter()
        with torch.set_grad_enabled(trains):
            outputs = pytree.tree_leaves(model(*model.given))
        ends = [value for value in outputs if isinstance(value, torch.Tensor) and value.requires_grad]
        if trains:
            torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
        return {
            "weights": sum(weight.numel() for weight in model.parameters()),
            "outputs": len(outputs),
            "built": built - began,
            "ran": time.perf_counter() - built,
        }


@contextlib.contextmanager
def _one_configuration() -> Iterator[None]:
    """While this is entered, a kernel is built in the first of its configurations that can be built: the texts are the same, and most
    of the time is spent on building.
    """
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner, NoTritonConfigsError

    build = CachingAutotuner._precompile_worker

    def first(kernel: Any) -> None:
        tried: NoTritonConfigsError | None = None
        for configuration in kernel.configs or ():
            kernel.configs = [configuration]
            try:
                return build(kernel)
            except NoTritonConfigsError as error:
                tried = error
        if tried is not None:
            raise tried
        return build(kernel)

    with patch.object(CachingAutotuner, "_precompile_worker", first):
        yield


def parsed(key: str) -> tuple[str, bool]:
    """The kind of a case, and whether it is trained."""
    kind, _, mode = key.rpartition("|")
    return kind, mode == "train"


def main(tool: str, cases: Cases, kinds: Callable[[], Iterable[str]]) -> int:
    """Record, compare, look, or try. `tool`: the module to run again."""
    what, path, *rest = sys.argv[1:]
    sets_in_one_order(tool)
    count = int(os.environ.get("PROCESSES", "0")) or os.cpu_count() or 1
    modes = tuple(os.environ.get("MODES", " ".join(MODES)).split())
    named = rest if what in ("record", "try") else rest[1:]
    if what == "compare":
        from tests.gpu.compare_cases import compare

        wanted = set(named)
        return compare(
            Path(path),
            rest[0],
            lambda key: not wanted or parsed(key)[0] in wanted,
            cases.written,
            count,
            cases.packages,
        )
    work = [f"{kind}|{mode}" for mode in modes for kind in named or kinds()]
    if what == "record":
        record(Path(path), work, count, cases.compiled_here)
    elif what == "try":
        for package in cases.packages:
            importlib.import_module(package)
        _try_out(Path(path), work, count, cases.run_here)
    else:
        from tests.gpu.compare_cases import look_at

        return look_at(work, rest[0], cases.written, Path(path), count, cases.packages)
    return 0


def _try_out(path: Path, work: list[str], count: int, run: Callable[[str], dict[str, Any]]) -> None:
    found: dict[str, Any] = {}
    for key, row in EachInAProcess(work, count, run, fresh=False):
        found[key] = row
        path.write_text(json.dumps(found))
        if "error" in row:
            print(" ", key, row["error"], flush=True)
    failed = sum("error" in row for row in found.values())
    print(f"{len(found)} cases, {failed} failed")
