"""Hook: the Python that AOTAutograd generates around its compiled graphs, and calls at every step.

torch 2.12 began to generate it, function by function; from 2.13 on all of it. Its structured log has each as an artifact, and
torch 2.15 those of one compile together, as ``aot_autograd_runtime_wrappers``.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around, is_there

GIVES = "AOTAutograd's runtime wrappers, which torch generates from 2.12 on"
_GENERATED = "torch._functorch._aot_autograd.codegen:_compile_and_exec_source"
_OF_SUBCLASSES = "torch._functorch._aot_autograd.subclass_codegen:_compile_and_exec_source"
NEEDS = tuple(filter(is_there, (_GENERATED if is_there(_GENERATED) else _OF_SUBCLASSES,)))
_ARTIFACT = 3
"""The argument that names what is generated: ``runtime_wrapper_orchestration``."""


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each function as it is generated, in order."""

    def generated(source: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        dynamo_graph = recorder.dynamo_graph
        if dynamo_graph is not None:
            name = kwargs.get("artifact_name") or (args[_ARTIFACT - 1] if len(args) >= _ARTIFACT else "")
            dynamo_graph.runtime_wrappers.append((str(name), str(source)))
        return original(source, *args, **kwargs)

    # each is called by its own name: nothing passes through both
    with around(_GENERATED, generated), around(_OF_SUBCLASSES, generated):
        yield
