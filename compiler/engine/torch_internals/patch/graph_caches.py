"""Whether what was compiled came out of torch's own graph caches: it has no stages between its graph and its code then."""

import contextlib
from collections.abc import Iterator

from torch._dynamo.utils import counters

from compiler.engine.records.recorder import DynamoGraphRecord

GIVES = "hits and misses of torch's graph caches"
NEEDS = ("torch._dynamo.utils:counters",)

_CACHES = {
    "AOTAutograd's cache": ("aot_autograd", "autograd_cache_"),
    "FX graph cache": ("inductor", "fxgraph_cache_"),
}
_OUTCOMES = {"hit": "hit", "miss": "miss", "bypass": "not usable"}


@contextlib.contextmanager
def noting_caches(record: DynamoGraphRecord) -> Iterator[None]:
    """Note on the record what the caches gave meanwhile; nothing where they are off."""
    before = _counts()
    try:
        yield
    finally:
        for key, count in _counts().items():
            if count > before[key]:
                record.caches[key] = record.caches.get(key, 0) + count - before[key]


def _counts() -> dict[tuple[str, str], int]:
    return {
        (cache, words): counters[group][f"{prefix}{outcome}"]
        for cache, (group, prefix) in _CACHES.items()
        for outcome, words in _OUTCOMES.items()
    }
