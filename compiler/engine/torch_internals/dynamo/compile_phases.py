"""Hook: the phases of compiling as torch times them itself."""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around

GIVES = "compile time by phase"
NEEDS = (
    "torch._dynamo.utils:ChromiumEventLogger.log_event_start",
    "torch._dynamo.utils:ChromiumEventLogger.log_event_end",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note when torch begins and ends what it times with ``dynamo_timed``."""

    def start(logger: Any, event_name: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(logger, event_name, *args, **kwargs)
        if recorder.live is not None:
            with recorder.reading("the phases of the compile"):
                recorder.live.phases.begin(event_name, recorder.names.now(_compile_id(args)))
        return result

    def end(logger: Any, event_name: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        if recorder.live is not None:
            with recorder.reading("the phases of the compile"):
                recorder.live.phases.end(event_name)
        return original(logger, event_name, *args, **kwargs)

    with around(NEEDS[0], start), around(NEEDS[1], end):
        yield


def _compile_id(args: tuple[Any, ...]) -> str:
    """Torch writes the compile id into the event's metadata when it begins."""
    metadata = args[1] if len(args) > 1 and isinstance(args[1], dict) else {}
    found = str(metadata.get("compile_id") or "")
    return "" if found == "None" else found
