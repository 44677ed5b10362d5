"""``python -m tests.gpu.record OUT.json.xz [programs|attention|outside|more|packages|libraries|driver|device|step|padded] [NAME…]``: what Inductor writes on the GPU of this machine, for
`tests.gpu` to compare with.

Plain torch, no loupe: the programs of `tests.gpu.programs`, moved to the GPU, forward and (trained) backward.
"""

import json
import lzma
import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from torch._inductor.fx_passes import pad_mm
from torch._inductor.graph import GraphLowering
from torch.utils import _pytree as pytree

from tests.gpu.programs import SETS, Recorded
from tests.helpers.module_from_file import module_from

torch._inductor.config.fx_graph_cache = False
torch._functorch.config.enable_autograd_cache = False


def _loaded(program: Recorded) -> tuple[Any, tuple[Any, ...]]:
    torch.manual_seed(0)
    module = module_from(program.path)
    found = getattr(module, program.name)
    called = found() if isinstance(found, type) else found
    names = {"torch": torch}
    args = eval(f"({program.inputs},)", names) if program.inputs else module.example_inputs()  # our own table
    return called, tuple(args)


def _recorded(program: Recorded, training: bool) -> list[str]:
    called, args = _loaded(program)
    if isinstance(called, torch.nn.Module):
        called = called.to("cuda").train(training)
    args = pytree.tree_map(lambda value: value.to("cuda") if isinstance(value, torch.Tensor) else value, args)
    return texts_of(called, args, training)


class _OwnRecord(dict[str, Any]):
    """In the place of torch's record of what it padded, which several processes overwrite for one another."""

    lookup = dict[str, Any].get

    def set_value(self, key: str, value: Any) -> None:
        self[key] = value


def texts_and_padding(
    called: Any, args: tuple[Any, ...], training: bool
) -> tuple[list[str], dict[str, bool]]:
    """The wrappers that torch writes (`texts_of`), and which matrix products it padded, by torch's own keys."""
    own = _OwnRecord()
    with patch.object(pad_mm, "get_pad_cache", lambda: own):
        texts = texts_of(called, args, training)
    return texts, {key: value for key, value in own.items() if isinstance(value, bool)}


MODE = os.environ.get("COMPILE_MODE") or None
"""``reduce-overhead``, say; where what was recorded is compared, it must be given again."""
OPTIONS: dict[str, Any] = {}
"""Of torch.compile."""


def texts_of(called: Any, args: tuple[Any, ...], training: bool) -> list[str]:
    """The wrappers that torch writes when this is compiled and run once, backward too where it is trained."""
    texts: list[str] = []
    GraphLowering.save_output_code = staticmethod(texts.append)
    torch.compiler.reset()
    with torch.set_grad_enabled(training):
        outputs = torch.compile(called, mode=MODE, options=OPTIONS or None)(*args)
        if training:
            ends = [
                value
                for value in pytree.tree_leaves(outputs)
                if isinstance(value, torch.Tensor) and value.requires_grad
            ]
            if ends:
                torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
    torch.cuda.synchronize()
    return texts


def main() -> None:
    """Record every program, evaluated and trained."""
    reported: dict[str, Any] = {"v": torch.__version__, "gpu": torch.cuda.get_device_name()}
    chosen = SETS[sys.argv[2] if len(sys.argv) > 2 else "programs"]
    for key, program in chosen.items():
        if len(sys.argv) > 3 and key not in sys.argv[3:]:
            continue
        for training in (False, True):
            name = f"{key}_{'train' if training else 'infer'}"
            try:
                reported[name] = {"src": _recorded(program, training)}
            except Exception as error:
                print(name, type(error).__name__, str(error)[:300])
                continue
            print(name, len(reported[name]["src"]), flush=True)
            Path(sys.argv[1]).write_bytes(lzma.compress(json.dumps(reported).encode(), preset=9))


if __name__ == "__main__":
    main()
