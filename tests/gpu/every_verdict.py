"""``python -m tests.gpu.every_verdict OUT.json [KIND…]``: edits of every kind of model of transformers on this machine's GPU
(KIND as PACKAGE/NAME: of another package, PACKAGE/: all of that; `kinds_of_packages`; FILE.py:NAME: a program), and what is said of each: one that changes
nothing, kernels that store something else (a twentieth more; half as much again and a quarter), an operator of each graph that is
another one, in graphs of operators one that torch decomposes before them.

``SHARE=n/m`` takes every m-th kind from the n-th on, ``PRECISION=high`` allows tf32 in products, ``DTYPE=bfloat16``
is that of weights and inputs, ``DEVICE=cpu`` needs no GPU, ``ONLY=operators`` leaves Dynamo's graph alone, and edits
kernels behind an edited joint graph. Exit status 1 where a verdict is not what the edit deserves; a model whose parameters or
buffers are others afterwards is reported as an error.
"""

import itertools
import json
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from compiler.api import Capture, LoupeError, capture
from compiler.engine.equal_tensors import same_numbers
from compiler.model.edits.edits import Edit, ReplaceKernel, ReplaceTarget
from compiler.model.ir.arguments import MappingArgument
from compiler.model.ir.loop_ir import Kernel
from tests.gpu import kinds_of_packages
from tests.gpu.each_in_a_process import EachInAProcess
from tests.gpu.kinds_of_packages import PackageModel
from tests.gpu.transformers_models import TransformersModel, kinds

_STORE = {
    "triton": re.compile(r"tl\.store\((?P<where>\w*out_ptr\d+) \+ \(.*\), (?P<value>tmp\d+)(?:, \w+)?\)"),
    "cpp": re.compile(r"(?P<value>tmp\d+)\.store\((?P<where>\w*out_ptr\d+) \+ .*\);"),
}
_FLOATS = {"triton": r"'{}': '\*(fp|bf)", "cpp": r"(float|double|bfloat16|half)\* (__restrict__\s+)?{}\b"}
_OTHER = {
    "triton": ("{} * 1.05", "{} * 1.5 + 0.25"),
    "cpp": ("({0} * decltype({0})(1.05f))", "({0} * decltype({0})(1.5f) + decltype({0})(0.25f))"),
}
"""What is stored instead."""
_UNARY = [
    f"aten.{name}.default"
    for name in ("relu", "gelu", "silu", "sigmoid", "tanh", "erf", "exp", "rsqrt", "neg", "cos", "sin", "abs")
]
_DECOMPOSED = ("gelu", "silu", "hardswish", "mish", "elu", "softplus")
_ANOTHER = {
    "relu": "torch.nn.functional.gelu", "gelu": "torch.nn.functional.silu", "silu": "torch.nn.functional.gelu",
    "tanh": "torch.sigmoid", "sigmoid": "torch.tanh", "softmax": "torch.nn.functional.log_softmax", "add": "operator.sub",
    "mul": "operator.add",
}  # fmt: skip


def _kernels(cap: Capture) -> Iterator[tuple[str, str, Edit]]:
    """A kernel with a comment more, and the same one with other values stored; for the first that stores floats of each graph."""
    for stage in cap.data.stages:
        for kernel in stage.kernels:
            stored = _stored(kernel)
            if stored is None:
                continue
            source, line, value = kernel.source, stored.group(0), stored.group("value")
            remark = "  # looked at" if kernel.language == "triton" else "  // looked at"
            texts = [("remark", line + remark)]
            at = stored.start("value") - stored.start()
            for other in _OTHER[kernel.language]:
                changed = line[:at] + other.format(value) + line[at + len(value) :]
                texts.append(("wrong kernel", changed))
            for what, text in texts:
                yield what, stage.id, ReplaceKernel(stage.id, kernel.name, source.replace(line, text, 1))
            break


def _stored(kernel: Kernel) -> re.Match[str] | None:
    if kernel.language not in _STORE:
        return None
    for row in _STORE[kernel.language].finditer(kernel.source):
        if not _is_nought(kernel, row) and re.search(
            _FLOATS[kernel.language].format(row.group("where")), kernel.source
        ):
            return row
    return None


def _is_nought(kernel: Kernel, row: re.Match[str]) -> bool:
    """Nought times anything is nought: no fault, though the text is another."""
    value, before = row.group("value"), kernel.source[: row.start()]
    if f"{value} = tl.full(" in kernel.source:
        return True
    while makes := re.findall(
        rf"auto {value} = (.*);", before
    ):  # a name of C++ stands in many loops: the last is ours
        if not (copy := re.search(r"^at::vec::Vectorized<\w+>\((tmp\d+)\)$", makes[-1])):
            return re.search(r"^static_cast<\w+>\(0(\.0)?\)$", makes[-1]) is not None
        value = copy.group(1)
    return False


def _calls(cap: Capture) -> Iterator[tuple[str, str, Edit]]:
    """The first call of each Dynamo graph that has a counterpart."""
    for stage in cap.stages:
        if stage.kind != "dynamo_graph":
            continue
        for node in stage.nodes:
            name = node.target.rsplit(".", 1)[-1] if isinstance(node.target, str) else ""
            if name in _ANOTHER:
                yield "another call", stage.id, stage.replace(node.id, _ANOTHER[name])
                break


def _operators(cap: Capture) -> Iterator[tuple[str, str, Edit]]:
    """In each graph of operators one of one tensor; what stands there instead differs from graph to graph."""
    others = itertools.cycle(_DECOMPOSED)
    for stage in cap.stages:
        if stage.kind not in ("joint_graph", "aot_graph", "post_grad_graph"):
            continue
        for node in stage.nodes:
            if node.target in _UNARY and len(node.args.items) == 1:
                other = f"aten.{next(others)}.default"
                no_options = MappingArgument(())
                edit = ReplaceTarget(stage.id, node.id, "call_function", other, node.args, no_options)
                yield f"another operator ({other})", stage.id, edit
                break


def _tried(kind: str) -> dict[str, Any]:
    started = time.monotonic()
    torch.set_float32_matmul_precision(os.environ.get("PRECISION", "highest"))
    try:
        cap, state = _captured(kind)
        held = {name: value.clone() for name, value in state().items()}
        found = []
        only = os.environ.get("ONLY") == "operators"
        for edit in (*(() if only else (*_kernels(cap), *_calls(cap))), *_operators(cap)):
            found.append(_judged(cap, *edit))
            _note(kind, found[-1])
        if only and (
            joint := next((edit for _, stage, edit in _operators(cap) if stage.endswith("joint")), None)
        ):
            edited, _ = cap.edit(joint).recompile(judge=False)
            for more in _kernels(edited):
                found.append(_judged(edited, *more))
                _note(kind, found[-1])
        moved = [name for name, value in state().items() if not same_numbers(value, held[name])]
        if moved:
            return {"error": f"verdicts wrote to the program's own {', '.join(moved)}"[:600]}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:600]}
    return {"edits": found, "seconds": time.monotonic() - started}


def _captured(kind: str) -> tuple[Capture, Callable[[], dict[str, torch.Tensor]]]:
    """Trained, with what tells its state, which a program of a file keeps to itself."""
    if ".py:" in kind:
        return capture(kind, train=True), dict
    dtype = getattr(torch, os.environ.get("DTYPE", "float32"))
    device = os.environ.get("DEVICE", "cuda")
    model = (PackageModel if "/" in kind else TransformersModel)(kind).to(device, dtype)
    given = (value.to(device, dtype if value.is_floating_point() else value.dtype) for value in model.given)
    return capture(model, *given, train=True), model.state_dict


def _note(kind: str, made: dict[str, Any]) -> None:
    """A run may be cut off."""
    with Path(os.environ["LINES"]).open("a") as lines:
        lines.write(json.dumps({"kind": kind, **made}) + "\n")


def _judged(cap: Capture, what: str, stage: str, edit: Edit) -> dict[str, Any]:
    started = time.monotonic()
    try:
        _new, verdict = cap.edit(edit).recompile()
    except LoupeError as error:
        return {"what": what, "stage": stage, "refused": str(error)[:600]}
    assert verdict is not None
    took = time.monotonic() - started
    made = {"what": what, "stage": stage, "right": verdict.right, "told": verdict.summary, "seconds": took}
    if not _is_good(made):
        made |= {"report": str(verdict), "source": getattr(edit, "source", "")}
    return made


def _is_good(edit: dict[str, Any]) -> bool:
    return edit.get("right") is (edit["what"] != "wrong kernel")


def _kinds(whole: list[str]) -> list[str]:
    return list(kinds_of_packages.kinds(whole)) if whole else kinds()


def main(out: str, wanted: list[str]) -> int:
    """Judge all, and print what is not as it should be."""
    first, step = map(int, os.environ.get("SHARE", "0/1").split("/"))
    whole = [kind[:-1] for kind in wanted if kind.endswith("/")]
    if whole or not wanted:
        # in a process of its own: models that are made for asking may set CUDA up, and then nothing can be forked
        with multiprocessing.get_context("fork").Pool(1) as asking:
            found_kinds = asking.apply(_kinds, (whole,))
        wanted = [kind for kind in wanted if kind[:-1] not in whole] + found_kinds[first::step]
    found: dict[str, Any] = {}
    os.environ.setdefault("LINES", f"{out}.lines")
    count = int(os.environ.get("PROCESSES", "8"))
    until = time.monotonic() + float(os.environ.get("SECONDS_IN_ALL", "520"))
    for key, result in EachInAProcess(wanted, count, _tried, fresh=False, seconds=600):
        found[key] = result
        Path(out).write_text(json.dumps(found, indent=1))
        bad = [edit for edit in result.get("edits", ()) if not _is_good(edit)]
        if bad or "error" in result:
            print(key, result.get("error", ""), json.dumps(bad)[:1500], flush=True)
        if time.monotonic() > until:
            break
    edits = [edit for result in found.values() for edit in result.get("edits", ())]
    good = sum(map(_is_good, edits))
    print(
        f"{len(found)} models, {sum('error' in each for each in found.values())} not run; {good} of {len(edits)} verdicts as wanted"
    )
    sys.stdout.flush()
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(0 if good == len(edits) else 1)


if __name__ == "__main__":
    print(torch.__version__)
    main(sys.argv[1], sys.argv[2:])
