"""``python -m tests.gpu.own_kernels LINES [NAME…]``: programs of packages that bring Triton kernels of their own (liger-kernel, fla,
and what `torch.library.triton_op` makes of some), trained on this machine's GPU: their graphs beside those of plain ``torch.compile``,
the links of their calls and kernels, and verdicts of edits, of every kernel that a package wrote above all. A row a finding in LINES.

``SHARE=n/m`` takes every m-th program from the n-th on, ``LIMIT`` in seconds. What a machine lacks is said and passed over.
"""

import importlib
import json
import os
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from compiler.api import Capture, LoupeError, capture
from compiler.engine.equal_tensors import same_numbers
from compiler.model.edits.edits import Edit, ReplaceKernel
from compiler.model.ir.stage import StageKind
from tests.gpu.every_verdict import _calls, _is_good, _judged, _kernels, _operators

_DEVICE = os.environ.get("DEVICE", "cuda")
_SECONDS = 60.0
"""No further edit of a program is judged after this time."""
_MOST = 4
"""Kernels of a package that are edited in one program."""

Program = tuple[nn.Module, tuple[Any, ...]]


class _Calls(nn.Module):
    """A function of a package, with something of torch before and after it."""

    def __init__(self, function: Callable[..., Any], **keywords: Any) -> None:
        super().__init__()
        self.function, self.keywords = function, keywords
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, *given: torch.Tensor) -> torch.Tensor:
        first, *others = given
        made = self.function(first * self.scale, *others, **self.keywords)
        return (made[0] if isinstance(made, tuple) else made).float().sigmoid()


def _random(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(*shape, dtype=dtype, device=_DEVICE)


def _gates(*shape: int) -> torch.Tensor:
    return torch.nn.functional.logsigmoid(_random(*shape))


def _tokens(most: int, *shape: int) -> torch.Tensor:
    return torch.randint(0, most, shape, device=_DEVICE)


def _of_liger() -> Iterator[tuple[str, Callable[[], Program]]]:
    liger = importlib.import_module("liger_kernel.transformers")

    config = types.SimpleNamespace(
        hidden_size=64, intermediate_size=128, hidden_act="silu", hidden_activation="gelu_pytorch_tanh"
    )
    config.pretraining_tp, config.mlp_bias = 1, False
    rows, tokens = (4, 32, 64), (128,)
    for name in ("RMSNorm", "LayerNorm", "DyT"):
        yield name, lambda name=name: (getattr(liger, f"Liger{name}")(64), (_random(*rows),))
    for name in ("SwiGLUMLP", "TiledSwiGLUMLP"):
        yield name, lambda name=name: (getattr(liger, f"Liger{name}")(config), (_random(*rows),))

    def geglu(name: str) -> Program:
        config.hidden_act = "gelu_pytorch_tanh"
        return getattr(liger, f"Liger{name}")(config), (_random(*rows),)

    for name in ("GEGLUMLP", "TiledGEGLUMLP"):
        yield name, lambda name=name: geglu(name)
    for name in ("Softmax", "Sparsemax", "ReLUSquared", "PolyNorm"):
        yield name, lambda name=name: (getattr(liger, f"Liger{name}")(), (_random(*rows),))
    yield "FusedAddRMSNorm", lambda: (liger.LigerFusedAddRMSNorm(64), (_random(*rows), _random(*rows)))
    yield (
        "ModulatedRMSNorm",
        lambda: (
            liger.LigerModulatedRMSNorm(64),
            (_random(*rows), _random(4, 1, 64), _random(4, 1, 64)),
        ),
    )
    yield (
        "CrossEntropyLoss",
        lambda: (
            liger.LigerCrossEntropyLoss(),
            (_random(128, 1000), _tokens(1000, *tokens)),
        ),
    )
    yield (
        "CrossEntropyLoss smoothed",
        lambda: (
            liger.LigerCrossEntropyLoss(label_smoothing=0.1, softcap=30.0),
            (_random(128, 1000), _tokens(1000, *tokens)),
        ),
    )
    yield (
        "FusedLinearCrossEntropyLoss",
        lambda: (
            liger.LigerFusedLinearCrossEntropyLoss(),
            (_random(1000, 64), _random(128, 64).requires_grad_(), _tokens(1000, *tokens)),
        ),
    )
    for name in ("JSD", "KLDIVLoss", "TVDLoss"):
        yield (
            name,
            lambda name=name: (
                getattr(liger, f"Liger{name}")(),
                (_random(64, 100).log_softmax(-1), _random(64, 100).log_softmax(-1)),
            ),
        )
    yield (
        "rotary",
        lambda: (
            _Calls(liger.liger_rotary_pos_emb),
            (_random(2, 4, 32, 16), _random(2, 4, 32, 16), _random(1, 32, 16), _random(1, 32, 16)),
        ),
    )
    yield (
        "MultiTokenAttention",
        lambda: (liger.LigerMultiTokenAttention(2, 2, 3, padding=1), (_random(2, 2, 32, 32),)),
    )


def _of_fla() -> Iterator[tuple[str, Callable[[], Program]]]:
    modules, ops = importlib.import_module("fla.modules"), importlib.import_module("fla.ops")

    rows = (2, 64, 128)
    for name in ("RMSNorm", "LayerNorm", "FusedRMSNormGated", "FusedLayerNormGated"):
        given = 2 if "Gated" in name else 1
        yield (
            name,
            lambda name=name, given=given: (
                getattr(modules, name)(128),
                tuple(_random(*rows) for _ in range(given)),
            ),
        )
    yield "L2Norm", lambda: (modules.L2Norm(), (_random(*rows),))
    yield "GroupNorm", lambda: (modules.GroupNorm(4, 128), (_random(*rows),))
    yield "GatedMLP", lambda: (modules.GatedMLP(128), (_random(*rows),))
    yield "ShortConvolution", lambda: (modules.ShortConvolution(128, 4), (_random(*rows),))
    yield (
        "RotaryEmbedding",
        lambda: (modules.RotaryEmbedding(32), (_random(2, 64, 4, 32), _random(2, 64, 4, 32))),
    )
    yield "BitLinear", lambda: (modules.BitLinear(128, 64), (_random(*rows),))
    yield "FusedBitLinear", lambda: (modules.FusedBitLinear(128, 64), (_random(*rows),))
    yield (
        "FusedCrossEntropyLoss",
        lambda: (modules.FusedCrossEntropyLoss(), (_random(128, 1000), _tokens(1000, 128))),
    )
    heads = (2, 64, 2, 32)
    half = torch.bfloat16

    def three() -> tuple[torch.Tensor, ...]:
        return tuple(_random(*heads, dtype=half) for _ in range(3))

    for name in ("chunk_retention", "parallel_retention", "chunk_linear_attn", "fused_recurrent_linear_attn"):
        yield name, lambda name=name: (_Calls(getattr(ops, name)), three())
    for name in ("chunk_gla", "fused_recurrent_gla"):
        yield name, lambda name=name: (_Calls(getattr(ops, name)), (*three(), _gates(*heads).to(half)))
    yield "chunk_simple_gla", lambda: (_Calls(ops.chunk_simple_gla), (*three(), _gates(2, 64, 2)))
    for name in ("chunk_delta_rule", "fused_recurrent_delta_rule"):
        yield (
            name,
            lambda name=name: (
                _Calls(getattr(ops, name), use_qk_l2norm_in_kernel=True),
                (*three(), torch.rand(2, 64, 2, device=_DEVICE, dtype=half)),
            ),
        )
    yield (
        "chunk_gated_delta_rule",
        lambda: (
            _Calls(ops.chunk_gated_delta_rule, use_qk_l2norm_in_kernel=True),
            (*three(), _gates(2, 64, 2), torch.rand(2, 64, 2, device=_DEVICE, dtype=half)),
        ),
    )
    yield "fused_recurrent_hgrn", lambda: (_Calls(ops.fused_recurrent_hgrn), (_random(*rows), _gates(*rows)))
    yield (
        "parallel_forgetting_attn",
        lambda: (_Calls(ops.parallel_forgetting_attn), (*three(), _gates(2, 64, 2))),
    )
    yield "parallel_attn", lambda: (_Calls(ops.parallel_attn), three())


_PACKAGES = {"liger": _of_liger, "fla": _of_fla}


def programs() -> Iterator[tuple[str, Callable[[], Program]]]:
    """Of each package that is installed."""
    for package, made in _PACKAGES.items():
        try:
            for name, make in made():
                yield f"{package}/{name}", make
        except ImportError as error:
            print(f"{package} is left out: {error}")


def _own_kernels(cap: Capture) -> Iterator[tuple[str, str, Edit]]:
    """Every kernel that is not Inductor's, with a comment more, and with every value stored as another."""
    seen = 0
    for stage in cap.data.stages:
        for kernel in stage.kernels:
            if kernel.language != "triton" or re.search(r"\btriton_\w+_\d+\b", kernel.name):
                continue
            spans = list(_stored(kernel.source))
            if not spans or seen == _MOST:
                continue
            seen += 1
            yield "remark", stage.id, ReplaceKernel(stage.id, kernel.name, kernel.source + "\n# looked at\n")
            source = kernel.source
            for start, end in reversed(spans):
                source = f"{source[:start]} ({source[start:end].strip()}) * 1.05{source[end:]}"
            yield "wrong kernel", stage.id, ReplaceKernel(stage.id, kernel.name, source)


def _stored(source: str) -> Iterator[tuple[int, int]]:
    """Where the value of each ``tl.store`` and ``tl.atomic_add`` stands."""
    for call in re.finditer(r"\btl\.(?:store|atomic_add)\(", source):
        depth, commas = 0, list[int]()
        for at in range(call.end() - 1, len(source)):
            sign = source[at]
            depth += (sign in "([{") - (sign in ")]}")
            if depth == 0 or (sign == "," and depth == 1):
                commas.append(at)
            if len(commas) == 2 or depth == 0:
                break
        if len(commas) == 2:
            yield commas[0] + 1, commas[1]


def _judge(name: str, make: Callable[[], Program], note: Callable[..., None]) -> None:
    torch.manual_seed(0)
    try:
        model, given = make()
        model = model.to(_DEVICE)
        given = tuple(each.detach().requires_grad_(each.is_floating_point()) for each in given)
        model(*given)
    except Exception as error:
        note(name=name, skipped=f"{type(error).__name__}: {error}"[:300])
        return
    train = any(each.requires_grad for each in (*model.parameters(), *given))
    plain = _graphs(model, given)
    held = {key: value.clone() for key, value in model.state_dict().items()}
    torch._dynamo.reset()
    try:
        cap = capture(model, *given, train=train)
    except LoupeError as error:
        note(name=name, refused=str(error)[:600])
        return
    stages = [stage for stage in cap.data.stages if stage.kind is StageKind.DYNAMO_GRAPH]
    ours = [sum(node.op.startswith("call") for node in stage.graph.nodes) for stage in stages if stage.graph]
    texts = {
        f"{stage.id}/{kernel.name}": kernel.source for stage in cap.data.stages for kernel in stage.kernels
    }
    problems = [str(each)[:200] for each in cap.data.problems]
    fails = _failure(model, given, train) if problems else ""
    note(
        name=name, ours=ours, plain=plain, breaks=len(cap.breaks), texts=texts, problems=problems, fails=fails
    )
    until = time.monotonic() + _SECONDS
    for edits in (_own_kernels, _kernels, _calls, _operators):
        for edit in edits(cap):
            if time.monotonic() < until:
                found = _judged(cap, *edit)
                note(name=name, own=edits is _own_kernels, kernel=getattr(edit[2], "kernel", ""), **found)
    moved = [key for key, value in model.state_dict().items() if not same_numbers(value, held[key])]
    if moved:
        note(name=name, moved=moved)


def _graphs(model: nn.Module, given: tuple[Any, ...]) -> list[int]:
    """Calls of each graph of plain ``torch.compile``."""
    torch._dynamo.reset()
    counts: list[int] = []

    def counting(graph: torch.fx.GraphModule, _inputs: Any) -> Any:
        counts.append(sum(node.op.startswith("call") for node in graph.graph.nodes))
        return graph.forward

    torch.compile(model, backend=counting)(*given)
    return counts


def _failure(model: nn.Module, given: tuple[Any, ...], train: bool) -> str:
    """Of plain ``torch.compile``."""
    torch._dynamo.reset()
    try:
        made = torch.compile(model)(*given)
        if train:
            first = made[0] if isinstance(made, tuple) else made
            first.sum().backward()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:1500]
    return ""


def main(lines: str, wanted: list[str]) -> int:
    """Judge all, and print what is not as it should be."""
    first, step = map(int, os.environ.get("SHARE", "0/1").split("/"))
    until = time.monotonic() + float(os.environ.get("LIMIT", "inf"))
    verdicts: list[bool] = []

    def note(**row: Any) -> None:
        if "what" in row:
            verdicts.append(_is_good(row))
            row["good"] = verdicts[-1]
        with Path(lines).open("a") as file:
            file.write(json.dumps(row) + "\n")

    for name, make in list(programs())[first::step]:
        if (not wanted or any(each in name for each in wanted)) and time.monotonic() < until:
            try:
                _judge(name, make, note)
            except Exception as error:
                note(name=name, fault=f"{type(error).__name__}: {error}"[:600])
    print(f"{sum(verdicts)} of {len(verdicts)} verdicts as wanted")
    return int(not all(verdicts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
