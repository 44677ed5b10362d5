"""Hook: the moment when kernels are generated and not built yet, and how far their compiler is.

Inductor gives kernels to a pool of threads when it loads a generated wrapper, and waits for them there. What was
generated is reported before the waiting; waiting in small steps lets a person cancel it.
"""

import concurrent.futures
import contextlib
import dataclasses
import threading
from collections.abc import Callable, Iterator
from typing import Any

from torch._inductor import async_compile
from torch._inductor.codecache import CppCodeCache, CppPythonBindingsCodeCache

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around, around_each
from compiler.model.protocol.progress import Phase

GIVES = "stages on screen before their kernels are built, progress of the C++ compiler"
NEEDS = (
    "torch._inductor.async_compile:AsyncCompile.cpp_pybinding",
    "torch._inductor.async_compile:AsyncCompile.cpp",
    "torch._inductor.async_compile:AsyncCompile.submit",
    "torch._inductor.async_compile:AsyncCompile.wait",
    "torch._inductor.codecache:CppPythonBindingsCodeCache.load_async",
)
_STEP_S = 0.1
_CACHES = (CppCodeCache, CppPythonBindingsCodeCache)


@dataclasses.dataclass
class _Build:
    source: str
    future: concurrent.futures.Future[Any]


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Tell the recorder what was generated, then how many of the kernels under way are built."""
    under_way: list[_Build] = []
    source = [""]
    given_up = threading.Event()
    known = [set(cache.cache) for cache in _CACHES]

    def of_source(builder: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        source[0] = str(args[-1]) if args else ""
        try:
            return original(builder, *args, **kwargs)
        finally:
            source[0] = ""

    def submit(task: Callable[[], Any], *, original: Any) -> Any:
        if not source[0]:
            return original(task)
        result = original(lambda: None if given_up.is_set() else task())
        if isinstance(result, concurrent.futures.Future):
            under_way.append(_Build(source[0], result))
        return result

    def wait(builder: Any, scope: Any, *, original: Any) -> Any:
        recorder.generated(tuple(build.source for build in under_way if not build.future.done()))
        try:
            _wait_for(under_way, recorder)
        except BaseException:
            given_up.set()
            for cache, names in zip(_CACHES, known, strict=True):
                for name in set(cache.cache) - names:  # what was not built would be taken for built
                    del cache.cache[name]
            raise
        under_way.clear()
        return original(builder, scope)

    with around_each(NEEDS[:2], of_source), around(NEEDS[2], submit), around(NEEDS[3], wait):
        yield


def builds_in_turn() -> bool:
    """Whether this torch builds each kernel when it meets it, as with one thread: then there is nothing to wait for."""
    return async_compile.get_compile_threads() <= 1


def _wait_for(under_way: list[_Build], recorder: Recorder) -> None:
    """Until all are built or failed; a failure is raised by torch, which asks for the result next."""
    futures = [build.future for build in under_way]
    reported = -1
    while True:
        done = sum(future.done() for future in futures)
        if done == len(futures):
            return
        if done != reported:
            recorder.report_progress(
                f"Building kernels: {done} of {len(futures)} built", Phase.KERNELS, done, len(futures)
            )
            reported = done
        concurrent.futures.wait(
            [future for future in futures if not future.done()], _STEP_S, concurrent.futures.FIRST_COMPLETED
        )
