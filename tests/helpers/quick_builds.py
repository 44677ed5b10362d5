"""What each process that builds kernels finds out or makes again is found out and made once for all tests: which vector
instructions there are, and the header with its templates instantiated, as workers make it while they have time.
"""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from torch._dynamo import guards
from torch._inductor import codecache, config, cpp_builder, cpu_vec_isa

from compiler.engine.torch_internals.inductor_kernels import instantiated_headers
from compiler.processes.own_cache import HEADERS, cache_folder


@contextlib.contextmanager
def quick_builds() -> Iterator[None]:
    """While this is entered, kernels of this process are built with the headers of workers, and what it starts takes the
    processor's instructions for tried.
    """
    headers = cache_folder() / "precompiled_headers"
    profiled = guards.profile_guard_manager
    builds: instantiated_headers.Builds = {}
    lock = threading.Lock()
    original = cpp_builder.run_compile_cmd

    def run(command: str, *args: Any, **keywords: Any) -> Any:
        result = original(command, *args, **keywords)
        with lock:
            instantiated_headers._note(command, builds)
            for header, kernels in builds.items():
                if len(kernels) == instantiated_headers.KERNELS_COMPARED:
                    instantiated_headers.settle(header, kernels)
                    kernels.clear()  # where another process was at it, as many are noted again
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codecache, "_HEADER_DIR", str(headers))
        patch.setattr(codecache, "_HEADER_LOCK_DIR", str(headers / "locks"))
        patch.setattr(cpp_builder, "run_compile_cmd", run)
        # For its log torch times the guards of each frame once, with caches that it empties for that: 12 ms of 40 MB.
        patch.setattr(
            guards,
            "profile_guard_manager",
            lambda root, scope, turns: profiled(root, scope, turns) if turns > 1 else 0.0,
        )
        if _instructions_hold():
            patch.setenv(
                "TORCHINDUCTOR_VEC_ISA_OK", "1"
            )  # else each process builds and loads a file for each set of them
        yield


@contextlib.contextmanager
def headers_in(folder: Path) -> Iterator[None]:
    """While this is entered, kernels of this process include precompiled headers of that folder, as a worker's do of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HEADERS, str(folder))
        patch.setattr(codecache, "_HEADER_DIR", str(folder))
        patch.setattr(codecache, "_HEADER_LOCK_DIR", str(folder / "locks"))
        codecache._precompile_header.cache_clear()
        try:
            yield
        finally:
            codecache._precompile_header.cache_clear()


def _instructions_hold() -> bool:
    """Whether all that the processor says it has can be built and loaded here."""
    tried = cpu_vec_isa.valid_vec_isa_list()
    with config.patch({"cpp.vec_isa_ok": True}):
        return tried == cpu_vec_isa.valid_vec_isa_list.__wrapped__()
