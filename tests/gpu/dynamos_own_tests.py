"""``python -m tests.gpu.dynamos_own_tests TEST_FILE LINES [NAME…]``: the programs of torch's own Dynamo tests (its ``test/dynamo``, which no
wheel holds), each captured: its graphs beside those of plain ``torch.compile``, the links of its calls and kernels, and the verdicts
of edits as `every_verdict` makes them. A row a finding in the file LINES; what stands there already is not done again.

``BACKEND=aot_eager`` builds and edits nothing, which takes a tenth of a second each. ``DEVICE=cuda``, ``SHARE=n/m`` (every m-th test
from the n-th on), ``LIMIT`` in seconds. A test runs first, as it is, and what it has compiled is noted with its arguments.
"""

import contextlib
import copy
import functools
import io
import json
import os
import sys
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import torch._dynamo.testing
from torch.utils import _pytree as pytree

from compiler.api import Capture, LoupeError, capture
from compiler.engine.equal_tensors import same_numbers
from compiler.model.ir.ids import place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind
from tests.gpu.every_verdict import _calls, _is_good, _judged, _kernels, _operators
from tests.helpers.module_from_file import module_from

_BACKEND = os.environ.get("BACKEND", "inductor")
_DEVICE = os.environ.get("DEVICE", "cpu")
_SECONDS = 20.0
"""No further edit of a program is judged after this time."""
_MOST = 3
"""Programs of a test."""
_CALLS = ("call_function", "call_method", "call_module")


class _Program:
    """What a test has compiled, with what it is first called with."""

    def __init__(self, function: Any, args: Any, kwargs: Any) -> None:
        self.function, self._args, self._kwargs = function, _copied(args), _copied(kwargs)
        self._gradients = torch.is_grad_enabled()
        self.name = getattr(function, "__qualname__", type(function).__name__)

    def run(self, function: Callable[..., Any]) -> None:
        """On copies, as the test had it."""
        with torch.set_grad_enabled(self._gradients):
            function(*_copied(self._args), **_copied(self._kwargs))

    def capture(self) -> Capture:
        """On the arguments themselves: whether these change is a finding."""
        return capture(
            self.function, *self._args, kwargs=self._kwargs, grad=self._gradients, backend=_BACKEND
        )

    def tensors(self) -> list[torch.Tensor]:
        """Of the arguments."""
        leaves = pytree.tree_leaves((self._args, self._kwargs))
        return [value for value in leaves if type(value) in (torch.Tensor, torch.nn.Parameter)]


def _copied(tree: Any) -> Any:
    def of(value: Any) -> Any:
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            return value
        return copy.deepcopy(value) if value.is_leaf else value.detach().clone()

    return pytree.tree_map(of, tree)


@contextlib.contextmanager
def _noting() -> Iterator[list[_Program]]:
    """What is compiled meanwhile, in whichever of Dynamo's ways."""
    found: list[_Program] = []

    def hooked(function: Any, compiled: Any) -> Any:
        if not callable(function) or isinstance(function, type) or isinstance(compiled, torch.nn.Module):
            return compiled

        @functools.wraps(compiled)
        def call(*args: Any, **kwargs: Any) -> Any:
            code = getattr(function, "__code__", function)
            if len(found) < _MOST and all(
                getattr(one.function, "__code__", one.function) is not code for one in found
            ):
                with contextlib.suppress(Exception):  # whatever copying the test's objects raises
                    found.append(_Program(function, args, kwargs))
            return compiled(*args, **kwargs)

        return call

    def optimizing(original: Any) -> Any:
        def optimize(*args: Any, **kwargs: Any) -> Any:
            context = original(*args, **kwargs)
            return lambda function: hooked(function, context(function))

        return optimize

    plain = torch.compile

    def compiling(model: Any = None, **kwargs: Any) -> Any:
        if model is None:
            return lambda function: compiling(function, **kwargs)
        return hooked(model, plain(model, **kwargs))

    with contextlib.ExitStack() as stack:
        stack.callback(setattr, torch, "compile", plain)
        torch.compile = compiling
        for owner, name in (
            (torch._dynamo, "optimize"),
            (torch._dynamo, "optimize_assert"),
            (torch._dynamo.testing, "optimize_assert"),
        ):
            original = getattr(owner, name)
            stack.callback(setattr, owner, name, original)
            setattr(owner, name, optimizing(original))
        yield found


def _plain(program: _Program) -> tuple[list[int], str]:
    """(the calls in each graph of plain torch.compile, what it fails with)."""
    graphs: list[int] = []

    def noted(module: torch.fx.GraphModule, _: Any) -> Any:
        graphs.append(sum(node.op in _CALLS for node in module.graph.nodes))
        return module.forward

    torch._dynamo.reset()
    try:
        program.run(torch.compile(program.function, backend=noted))
    except Exception as error:
        return sorted(graphs), f"{type(error).__name__}: {error}"[:300]
    finally:
        torch._dynamo.reset()
    return sorted(graphs), ""


def _links(cap: Capture) -> dict[str, Any]:
    """Calls without a certain way to a line of source, and kernels without one to Dynamo's graphs."""
    certain = Provenance([row for row in cap.data.links if row.proof != GUESS])
    sources = {stage.id for stage in cap.data.stages if stage.kind is StageKind.SOURCE}
    dynamo = {stage.id for stage in cap.data.stages if stage.id.split(":")[1:2] == ["dynamo"]}
    calls = [
        (stage.id, node.id)
        for stage in cap.stages
        if stage.kind == "dynamo_graph"
        for node in stage.nodes
        if node.op in _CALLS
    ]
    lost = [
        f"{stage}/{node}" for stage, node in calls if not sources & set(certain.ancestors(place(stage, node)))
    ]
    kernels = [(stage.id, kernel.name) for stage in cap.data.stages for kernel in stage.kernels]
    for stage_id, name in kernels:
        nodes = [node for node in certain.linked(stage_id) if node == name or node.startswith(f"{name}:")]
        if not nodes or not dynamo & set(certain.ancestors(place(stage_id, *nodes))):
            lost.append(f"{stage_id}/{name}")
    return {"calls": len(calls), "kernels": len(kernels), "lost": lost}


def _judge(program: _Program) -> Iterator[dict[str, Any]]:
    try:
        program.run(program.function)
    except Exception as error:
        yield {"skipped": f"{type(error).__name__}: {error}"[:200]}
        return
    graphs, fails = _plain(program)
    held, started = [value.detach().clone() for value in program.tensors()], time.monotonic()
    try:
        cap = program.capture()
    except LoupeError as error:
        yield {"refused": str(error)[:600], "plain_fails": fails}
        return
    ours = sorted(
        sum(node.op in _CALLS for node in stage.nodes) for stage in cap.stages if stage.kind == "dynamo_graph"
    )
    yield {"same_graphs": ours == graphs, "ours": ours, "plain": graphs, "plain_fails": fails} | _links(cap)
    if _BACKEND == "inductor":
        for edit in (*_kernels(cap), *_calls(cap), *_operators(cap)):
            row = _judged(cap, *edit)
            yield {"good": _is_good(row), **row}
            if time.monotonic() - started > _SECONDS:
                break
    moved = [not same_numbers(now.detach(), then) for now, then in zip(program.tensors(), held, strict=True)]
    if any(moved):
        yield {"moved": moved}


def _tests(module: Any) -> list[unittest.TestCase]:
    cases = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, unittest.TestCase)
        and value.__module__ == module.__name__
    ]
    first, step = map(int, os.environ.get("SHARE", "0/1").split("/"))
    return [case(name) for case in cases for name in sorted(dir(case)) if name.startswith("test")][
        first::step
    ]


def main(file: str, lines: str, *wanted: str) -> int:
    """Judge all, and say how many are as they should be."""
    module, place_of = module_from(Path(file).resolve()), Path(lines)
    if _DEVICE != "cpu":
        torch.set_default_device(_DEVICE)
    place_of.touch()
    done = {json.loads(row)["name"] for row in place_of.read_text().splitlines()}
    until = time.monotonic() + float(os.environ.get("LIMIT", "inf"))
    for test in _tests(module):
        name = test.id().partition(".")[2]
        if time.monotonic() > until:
            break
        if name in done or (wanted and not any(part in name for part in wanted)):
            continue
        with place_of.open("a", buffering=1) as rows:  # a run may be cut off
            rows.write(json.dumps({"name": name}) + "\n")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                with _noting() as programs:
                    test.run(unittest.TestResult())
                for program in programs:
                    for row in _judge(program):
                        rows.write(json.dumps({"name": name, "program": program.name, **row}) + "\n")
                torch._dynamo.reset()
    found = [json.loads(row) for row in place_of.read_text().splitlines()]
    same, good = ([row[key] for row in found if key in row] for key in ("same_graphs", "good"))
    lost = sum(len(row.get("lost", ())) for row in found)
    whole = sum(row["calls"] + row["kernels"] for row in found if "calls" in row)
    print(
        f"{sum(same)} of {len(same)} programs with plain's graphs, {lost} of {whole} calls and kernels lost",
        end=", ",
    )
    print(f"{sum(good)} of {len(good)} verdicts as wanted")
    return 0 if all(same) and all(good) and not lost else 1


if __name__ == "__main__":
    status = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)
