"""``python -m tests.gpu.record_choices OUT.json.xz``: which kernel of attention this GPU's torch takes, for many inputs.

Asks ``torch._fused_sdp_choice`` (nothing runs). `tests.compiler.engine.torch_internals.fake_gpu` holds our rules against it.
"""

import itertools
import json
import lzma
import random
import sys
from pathlib import Path
from typing import Any

import torch
from torch.backends import cuda

_DTYPES = ("float32", "float16", "bfloat16", "float64")
_WIDTHS = (4, 8, 10, 16, 20, 60, 64, 80, 96, 128, 136, 160, 192, 200, 256, 264)
_MASKS = ("", "full", "keys", "spread", "two", "added", "grows")


def drawn(rng: random.Random) -> dict[str, Any]:
    """One call, as data."""
    heads = rng.choice((1, 4, 8))
    width = rng.choice(_WIDTHS)
    length = rng.choice((1, 17, 64, 128))
    return {
        "dtype": rng.choice(_DTYPES),
        "batch": rng.choice((1, 2)),
        "heads": heads,
        "kept": rng.choice((heads, heads, max(1, heads // 2), 3)),
        "width": width,
        "of_value": rng.choice((width, width, width, 128, 8)),
        "length": length,
        "keys": rng.choice((length, length, 64, 1)),
        "dimensions": rng.choice((4, 4, 4, 4, 3)),
        "layout": rng.choice(("rows", "transposed", "packed", "columns", "offset")),
        "mask": rng.choice(_MASKS),
        "dropout": rng.choice((0.0, 0.0, 0.1, 0.125)),
        "causal": rng.choice((False, False, True)),
        "grouped": rng.choice((False, True)),
        "trains": rng.choice((False, True)),
        "off": rng.choice(("", "", "", "flash", "efficient", "cudnn")),
        "deterministic": rng.choice((False, False, False, True)),
    }


def built(case: dict[str, Any], device: str) -> dict[str, Any]:
    """The tensors of a case."""
    dtype = getattr(torch, case["dtype"])

    def part(heads: int, length: int, width: int) -> torch.Tensor:
        batch = case["batch"]
        if case["dimensions"] == 3:
            return torch.empty(batch * heads, length, width, dtype=dtype, device=device)
        match case["layout"]:
            case "transposed":
                made = torch.empty(batch, length, heads, width, dtype=dtype, device=device).transpose(1, 2)
            case "packed":
                made = torch.empty(batch, length, 3, heads, width, dtype=dtype, device=device)[
                    :, :, 1
                ].transpose(1, 2)
            case "columns":
                made = torch.empty(batch, heads, width, length, dtype=dtype, device=device).transpose(2, 3)
            case "offset":
                whole = torch.empty(batch * heads * length * width + 1, dtype=dtype, device=device)
                made = whole[1:].view(batch, heads, length, width)
            case _:
                made = torch.empty(batch, heads, length, width, dtype=dtype, device=device)
        return made

    query = part(case["heads"], case["length"], case["width"])
    key = part(case["kept"], case["keys"], case["width"])
    value = part(case["kept"], case["keys"], case["of_value"])
    for tensor in (query, key, value):
        tensor.requires_grad_(case["trains"])
    batch, heads, length, keys = case["batch"], case["heads"], case["length"], case["keys"]

    def flags(*sizes: int) -> torch.Tensor:
        return torch.empty(sizes, dtype=torch.bool, device=device)

    masks = {
        "": lambda: None,
        "full": lambda: flags(batch, heads, length, keys),
        "keys": lambda: flags(batch, 1, 1, keys),
        "spread": lambda: flags(batch, 1, length, 1).expand(batch, 1, length, keys),
        "two": lambda: flags(length, keys),
        "added": lambda: torch.empty(batch, 1, length, keys, dtype=dtype, device=device),
        "grows": lambda: torch.empty(batch, 1, length, keys, dtype=dtype, device=device, requires_grad=True),
    }
    mask = masks[case["mask"]]() if not case["causal"] and case["dimensions"] == 4 else None
    return {
        "query": query, "key": key, "value": value, "mask": mask, "dropout": case["dropout"], "causal": case["causal"],
        "grouped": case["grouped"],
    }  # fmt: skip


def switched(case: dict[str, Any]) -> None:
    """Torch's global switches as a case has them."""
    cuda.enable_flash_sdp(case["off"] != "flash")
    cuda.enable_mem_efficient_sdp(case["off"] != "efficient")
    cuda.enable_cudnn_sdp(case["off"] != "cudnn")
    torch.use_deterministic_algorithms(case["deterministic"])


def main() -> None:
    """Ask for 4,000 cases."""
    rng = random.Random(0)
    rows = []
    for _ in itertools.repeat(None, 4000):
        case = drawn(rng)
        switched(case)
        made = built(case, "cuda")
        choice = torch._fused_sdp_choice(
            made["query"], made["key"], made["value"], made["mask"], made["dropout"], made["causal"],
            enable_gqa=made["grouped"],
        )  # fmt: skip
        rows.append([case, choice])
    reported = {
        "v": torch.__version__,
        "gpu": torch.cuda.get_device_name(),
        "cudnn": torch.backends.cudnn.version(),
        "rows": rows,
    }
    Path(sys.argv[1]).write_bytes(lzma.compress(json.dumps(reported).encode(), preset=9))
    counts: dict[int, int] = {}
    for _, choice in rows:
        counts[choice] = counts.get(choice, 0) + 1
    print(reported["v"], reported["gpu"], reported["cudnn"], counts)


if __name__ == "__main__":
    main()
