"""``python -m tests.gpu.every_transformer record OUT.json.xz [KIND…]`` on a GPU, ``… compare IN.json.xz h100 [KIND…]`` and
``… look OUT.json h100 [KIND…]`` anywhere: every kind of model of transformers, small, evaluated in bfloat16 and trained in float32.

What a real GPU's torch writes against what we cross-compile, with the same torch; and what captures of them are like, with any.
"""

import os
import sys
from pathlib import Path
from typing import Any

from tests.gpu.record_cases import record, sets_in_one_order, tried
from tests.gpu.transformers_models import TransformersModel, kinds

MODES = ("train", "infer")


def _parsed(key: str) -> tuple[str, bool]:
    kind, _, mode = key.rpartition("|")
    return kind, mode == "train"


def _compiled_here(key: str) -> dict[str, Any]:
    """The wrappers that this machine's torch writes for its GPU, and what it padded."""
    from tests.gpu.record import texts_and_padding  # switches torch's caches off

    kind, trains = _parsed(key)
    model = TransformersModel(kind, half=not trains)
    given = tuple(value.to("cuda") for value in model.given)
    texts, padded = texts_and_padding(model.to("cuda").train(trains), given, trains)
    return {"src": texts, "padded": padded}


def _recorded(key: str) -> dict[str, Any]:
    return tried(lambda: _compiled_here(key))


def _written(key: str, _found: Any = None) -> Any:
    from tests.gpu.compare_cases import Written

    kind, trains = _parsed(key)
    head = "from tests.gpu.transformers_models import TransformersModel\n"
    made = f"net = TransformersModel({kind!r}, half={not trains})\n"
    return Written(f"{head}{made}\ndef example_inputs():\n    return net.given\n", trains)


def main() -> int:
    """Record, compare, or look."""
    what, path, *rest = sys.argv[1:]
    sets_in_one_order("tests.gpu.every_transformer")
    count = int(os.environ.get("PROCESSES", "0")) or os.cpu_count() or 1
    modes = tuple(os.environ.get("MODES", " ".join(MODES)).split())
    named = rest if what == "record" else rest[1:]
    work = [f"{kind}|{mode}" for mode in modes for kind in named or kinds()] if what != "compare" else []
    if what == "record":
        record(Path(path), work, count, _recorded)
        return 0
    from tests.gpu.compare_cases import compare, look_at

    if what == "compare":
        return compare(
            Path(path), rest[0], lambda key: not named or key.rpartition("|")[0] in named, _written, count
        )
    return look_at(work, rest[0], _written, Path(path), count)


if __name__ == "__main__":
    sys.exit(main())
