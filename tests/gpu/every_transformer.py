"""``python -m tests.gpu.every_transformer record OUT.json.xz [KIND…]`` on a GPU, ``… compare IN.json.xz h100 [KIND…]`` and
``… look OUT.json h100 [KIND…]`` anywhere: every kind of model of transformers, small, evaluated in bfloat16 and trained in float32.

What a real GPU's torch writes against what we cross-compile, with the same torch; and what captures of them are like, with any.
"""

import contextlib
import json
import lzma
import os
import sys
from pathlib import Path
from typing import Any

import torch

from tests.gpu.each_in_a_process import EachInAProcess
from tests.gpu.transformers_models import TransformersModel, kinds

MODES = ("train", "infer")


def _parsed(key: str) -> tuple[str, bool]:
    kind, _, mode = key.rpartition("|")
    return kind, mode == "train"


def _recorded(key: str) -> dict[str, Any]:
    from tests.gpu.record import texts_of

    torch._inductor.config.compile_threads = 1
    kind, trains = _parsed(key)
    with (
        open(os.devnull, "w") as nothing,
        contextlib.redirect_stderr(nothing),
        contextlib.redirect_stdout(nothing),
    ):
        try:
            model = TransformersModel(kind, half=not trains)
            given = tuple(value.to("cuda") for value in model.given)
            return {"src": texts_of(model.to("cuda").train(trains), given, trains)}
        except Exception as failed:
            if "CUDA error" in str(failed) or "device-side" in str(failed):
                os._exit(3)
            return {"error": f"{type(failed).__name__}: {str(failed)[:300]}"}


def record(path: Path, work: list[str], count: int) -> None:
    """Compile all on this machine's GPU and write down what came of it, again and again, since it may be ended at any time."""
    told: dict[str, Any] = {"v": torch.__version__, "gpu": torch.cuda.get_device_name()}
    for number, (key, found) in enumerate(EachInAProcess(work, count, _recorded, anew=True)):
        told[key] = found
        if number % 50 == 49 or number == len(work) - 1:
            print(number + 1, len(work), flush=True)
            path.write_bytes(lzma.compress(json.dumps(told).encode(), preset=1))
    failed = {
        key: found["error"] for key, found in told.items() if isinstance(found, dict) and "error" in found
    }
    print(len(work), "compiled;", len(failed), "failed")
    for key, error in failed.items():
        print(" ", key, error[:200])


def _written(key: str, _found: Any = None) -> Any:
    from tests.gpu.compare_cases import Written

    kind, trains = _parsed(key)
    head = "from tests.gpu.transformers_models import TransformersModel\n"
    made = f"net = TransformersModel({kind!r}, half={not trains})\n"
    return Written(f"{head}{made}\ndef example_inputs():\n    return net.given\n", trains)


def main() -> int:
    """Record, compare, or look."""
    what, path, *rest = sys.argv[1:]
    count = int(os.environ.get("PROCESSES", "0")) or os.cpu_count() or 1
    modes = tuple(os.environ.get("MODES", " ".join(MODES)).split())
    named = rest if what == "record" else rest[1:]
    if what == "record":
        record(Path(path), [f"{kind}|{mode}" for mode in modes for kind in named or kinds()], count)
        return 0
    from tests.gpu.compare_cases import compare, look_at

    if what == "compare":
        return compare(
            Path(path), rest[0], lambda key: not named or key.rpartition("|")[0] in named, _written, count
        )
    work = [f"{kind}|{mode}" for mode in modes for kind in named or kinds()]
    return look_at(work, rest[0], _written, Path(path), count)


if __name__ == "__main__":
    sys.exit(main())
