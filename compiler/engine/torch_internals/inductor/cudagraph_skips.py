"""Hook: why torch does without CUDA graphs where a mode or an option asks for them, and the user's line that it names.

What is found out while a graph is lowered, which torch tells nobody where there is no GPU; `cuda_graphs` hears what it logs.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around

GIVES = "why CUDA graphs are skipped"
NEEDS = ("torch._inductor.cudagraph_utils:check_lowering_disable_cudagraph",)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note what torch finds out when it lowers a graph."""

    def check(devices: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        before = dict(devices)  # torch takes out of it what it passes over
        reason = original(devices, *args, **kwargs)
        if reason:
            with recorder.reading("skipped CUDA graphs"):
                recorder.cudagraph_skips.append(_with_place(str(reason), before))
        return reason

    with around(NEEDS[0], check):
        yield


def _with_place(reason: str, devices: dict[Any, Any]) -> str:
    """Torch's words. Where it looked past the CPU before it spoke, and so names no device, in the words it has for that."""
    node = next((node for device, node in devices.items() if str(device) == "cpu"), None)
    if "cpu device" in reason or node is None:
        return reason
    users = (user.meta.get("stack_trace") for user in (node, *node.users))
    stack = next((trace for trace in users if trace), None)
    found = f". Found from : \n {stack}" if stack else ""
    return f"skipping cudagraphs due to cpu device ({node.name}){found}\ntorch: {reason}"
