"""Hook: what torch times on the GPU while it compiles: max-autotune's candidates, and configurations of generated kernels."""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._inductor.utils import Placeholder

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.capture.gpu_autotuning import CONFIGURATION, TEMPLATE, Candidate, MeasuredChoice

GIVES = "candidates that torch timed on the GPU"
NEEDS = (
    "torch._inductor.select_algorithm:AlgorithmSelectorCache.log_results",
    "torch._inductor.runtime.triton_heuristics:CachingAutotuner.benchmark_all_configs",
)
_TRIED = "a kernel tried for a fusion"


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note every decision with all candidates and their times."""

    def results(name: str, input_nodes: Any, timings: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        with recorder.reading("what max-autotune timed"):
            rows = [_candidate(choice, spent) for choice, spent in timings.items()]
            sizes = ", ".join(
                "×".join(map(str, node.get_size())) for node in input_nodes if hasattr(node, "get_size")
            )
            recorder.measured.append(MeasuredChoice(TEMPLATE, f"{name}({sizes})", _sorted(rows)))
        return original(name, input_nodes, timings, *args, **kwargs)

    def configurations(tuner: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        timings = original(tuner, *args, **kwargs)
        with recorder.reading("which configurations were timed"):
            rows = [
                Candidate(str(launcher.config), "", _seconds(spent)) for launcher, spent in timings.items()
            ]
            recorder.measured.append(MeasuredChoice(CONFIGURATION, _kernel(tuner), _sorted(rows)))
        return timings

    with around(NEEDS[0], results), around(NEEDS[1], configurations):
        yield


def _kernel(tuner: Any) -> str:
    """Its name; one that is built to see whether a fusion pays has none yet."""
    name = str(tuner.inductor_meta.get("kernel_name") or tuner.fn.__name__)
    return _TRIED if name == str(Placeholder.DESCRIPTIVE_NAME) else name


def _candidate(choice: Any, spent: float) -> Candidate:
    return Candidate(str(choice.name), str(getattr(choice, "description", "")), _seconds(spent))


def _seconds(milliseconds: float) -> float | None:
    value = float(milliseconds)
    return value / 1e3 if value < float("inf") else None


def _sorted(rows: list[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(rows, key=lambda row: row.seconds if row.seconds is not None else float("inf")))
