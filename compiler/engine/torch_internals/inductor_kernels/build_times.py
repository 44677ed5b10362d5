"""Hook: how long each run of the C++ compiler takes. Kernels that were built before are not built again."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around

GIVES = "build time of each kernel"
NEEDS = ("torch._inductor.cpp_builder:CppBuilder.build",)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note every build; they run on threads of Inductor's."""

    def build(builder: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        try:
            return original(builder, *args, **kwargs)
        finally:
            if recorder.live is not None:
                with recorder.reading("which kernel was built"):
                    path = builder.get_target_file_path()
                    recorder.live.phases.built(str(path), time.perf_counter() - started)

    with around(NEEDS[0], build):
        yield
