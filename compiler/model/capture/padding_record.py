"""Torch's own record of which matrix products it padded on a GPU, as text that an assumption holds.

On a GPU torch keeps what it measured in ``TORCHINDUCTOR_CACHE_DIR/cache/<hash>`` (`torch._inductor.codecache.LocalCache`), by keys that
are the product in words (`pad_mm.should_pad_bench_key`). They are matched as texts and nothing of them is evaluated.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE

RECORDED = "recorded on "
"""Begins the value of an assumption that holds such decisions: ``recorded on NVIDIA H100 80GB HBM3: …``."""
_LARGEST, _MOST_FILES, _MOST = 32 << 20, 64, 20_000
"""Bytes of a file, files of a folder, products that are taken."""
_TENSOR = r"\(torch\.Size\(\[([\d, ]*)\]\), \(([\d, ]*)\), torch\.(float16|bfloat16|float32)\)"
_KEY = re.compile(
    rf"\({_TENSOR}, {_TENSOR}, '?exclude_pad:(True|False)'?, '?exclude_pad:(True|False)'?, "
    rf"(?:<OpOverloadPacket\(op='aten\.|aten\.)(mm|addmm|bmm)(?:'\)>)?, (?:None|{_TENSOR}), "
    r"(None|True|False|'?not_float32'?|'?none'?|'?ieee'?|'?tf32'?|'?bf16'?)\)"
)
_PRECISIONS = {"None": "", "not_float32": "", "False": "ieee", "none": "ieee", "ieee": "ieee"}
"""What releases of torch call the precision of float32. ``True`` says tf32 of CUDA or of the CPU, which is not the same as ``tf32``."""
_ENTRY = re.compile(r"[+-][a-z0-9:,_ x!]+")


class _System(msgspec.Struct):
    device: dict[str, str | None] = {}


class _LocalCache(msgspec.Struct):
    cache: dict[str, msgspec.Raw]
    system: _System = msgspec.field(default_factory=_System)


def product_of(key: str) -> str:
    """A key of any torch's as a short text that is the same for all of them; empty where it is none, or has symbolic sizes."""
    found = _KEY.fullmatch(key)
    if found is None:
        return ""
    precision = found[13].strip("'")
    tensors = [_tensor(*found.group(at, at + 1)) for at in (1, 4, 10) if found[at] is not None]
    free = "".join("!" if found[at] == "True" else "x" for at in (7, 8))
    return f"{found[9]} {found[3]} {' '.join(tensors)} {free} {_PRECISIONS.get(precision, precision.lower())}".strip()


def _tensor(sizes: str, strides: str) -> str:
    return f"{sizes}:{strides}".replace(" ", "").replace(",:", ":").strip(",")


def read_record(path: Path) -> str:
    """What an assumption holds of a file in torch's cache folder, or of the only one in it that has such decisions. Raises ValueError."""
    if not path.is_dir():
        return _read(path)
    inner = path / "cache" if (path / "cache").is_dir() else path
    found, others = {}, ""
    for file in sorted(inner.iterdir())[:_MOST_FILES]:
        try:
            found[file] = _read(file)
        except ValueError as error:
            others = str(error)
    if len(found) > 1:
        named = "; ".join(f"{file.name} ({gpu_of(value)})" for file, value in found.items())
        raise ValueError(f"{inner} has records of several GPUs or releases; name one file: {named}.")
    if not found:
        raise ValueError(f"No file of {inner} says which matrix products torch padded. {others}".strip())
    return next(iter(found.values()))


def _read(path: Path) -> str:
    try:
        if not path.is_file():  # a pipe or a device would never end
            raise ValueError(f"{path} is no file.")
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > _LARGEST:
        raise ValueError(f"{path} is larger than {_LARGEST >> 20} MiB; torch's record is not.")
    try:
        read = msgspec.json.decode(data, type=_LocalCache)
    except UNREADABLE as error:
        raise ValueError(f"{path} is no record of torch's cache folder: {error}.") from None
    decided: dict[str, bool] = {}
    for key, raw in read.cache.items():
        value = bytes(raw)
        if value in (b"true", b"false") and (product := product_of(key)):
            decided[product] = value == b"true"
    if not decided:
        raise ValueError(f"{path} does not say of any matrix product whether torch padded it.")
    if len(decided) > _MOST:
        raise ValueError(f"{path} has more than {_MOST} products.")
    return written(read.system.device.get("name") or "a GPU", decided)


def written(gpu: str, decided: Mapping[str, bool]) -> str:
    """The value of an assumption: where it was decided, and each product padded (+) or not (-)."""
    name = re.sub(r"[^\w .()/-]", "", gpu)[:80]
    return f"{RECORDED}{name}: " + ";".join(f"{'-+'[padded]}{product}" for product, padded in decided.items())


def is_record(value: str) -> bool:
    """Whether an assumption holds decisions of its own."""
    return value.startswith(RECORDED)


def gpu_of(value: str) -> str:
    """The GPU that decided."""
    return value.removeprefix(RECORDED).partition(": ")[0]


def decisions(value: str) -> dict[str, bool]:
    """Whether each product was padded. What is no such text is left out."""
    entries = value.partition(": ")[2].split(";") if is_record(value) else ()
    return {entry[1:]: entry[0] == "+" for entry in entries if _ENTRY.fullmatch(entry)}


def format_padding(value: str) -> str:
    """For a person: where and how many."""
    count = len(decisions(value))
    return f"as {RECORDED}{gpu_of(value)} ({count} product{'s' * (count != 1)})"
