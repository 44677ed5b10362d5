"""Whether what was compiled came out of torch's own graph caches: it has no stages between its graph and its code then. Compiling
with none of what these hold, and with none of what was built before.
"""

import contextlib
import copy
import os
import tempfile
from collections.abc import Iterator
from typing import Any

import torch._inductor.utils
from torch._dynamo.utils import counters

from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.torch_internals.patch.patching import around
from compiler.processes.private_folder import scratch_place

GIVES = "hits and misses of torch's graph caches"
_LOOKUPS: dict[str, Any] = {
    "torch._inductor.codecache:FxGraphCache._lookup_graph": (None, {}),
    "torch._functorch._aot_autograd.autograd_cache:AOTAutogradCache._lookup": None,
}
"""What each says where nothing is found."""
NEEDS = ("torch._dynamo.utils:counters", "torch._inductor.utils:clear_caches", *_LOOKUPS)
_FOLDERS = "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"

_CACHES = {
    "AOTAutograd's cache": ("aot_autograd", "autograd_cache_"),
    "FX graph cache": ("inductor", "fxgraph_cache_"),
}
_OUTCOMES = {"hit": "hit", "miss": "miss", "bypass": "not usable"}
_unread = 0
"""How often `finding_nothing` is entered."""


@contextlib.contextmanager
def noting_caches(record: DynamoGraphRecord) -> Iterator[None]:
    """Note on the record what the caches gave meanwhile; nothing where they are off, or nothing is to be found in them."""
    if _unread:
        yield
        return
    before = _counts()
    try:
        yield
    finally:
        for key, count in _counts().items():
            if count > before[key]:
                record.caches[key] = record.caches.get(key, 0) + count - before[key]


@contextlib.contextmanager
def finding_nothing() -> Iterator[None]:
    """While this is entered, on every thread, nothing is found in the graph caches, but what is compiled is put into them as ever: a
    program may ask for that (``torch.compiler.save_cache_artifacts``, ``CompiledArtifact.save``).
    """
    global _unread
    with contextlib.ExitStack() as stack:
        for path, nothing in _LOOKUPS.items():
            stack.enter_context(around(path, _nothing_found, answer=nothing))
        _unread += 1
        try:
            yield
        finally:
            _unread -= 1


def _nothing_found(*_args: Any, original: Any, answer: Any, **_keywords: Any) -> Any:
    return copy.copy(answer)


@contextlib.contextmanager
def nothing_built() -> Iterator[None]:
    """While this is entered, kernels are built as on the first day, precompiled headers aside; what was built meanwhile stays
    loaded and its files go. Torch's own ``fresh_cache`` leaves them where something fails.
    """
    before = {name: os.environ.get(name) for name in _FOLDERS}
    with tempfile.TemporaryDirectory(
        prefix="loupe-cold-", dir=scratch_place(), ignore_cleanup_errors=True
    ) as folder:
        torch._inductor.utils.clear_caches()
        try:
            for name in _FOLDERS:
                os.environ[name] = os.path.join(folder, name.partition("_")[0].lower())
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            torch._inductor.utils.clear_caches()


def _counts() -> dict[tuple[str, str], int]:
    return {
        (cache, words): counters[group][f"{prefix}{outcome}"] if group in counters else 0
        for cache, (group, prefix) in _CACHES.items()
        for outcome, words in _OUTCOMES.items()
    }
