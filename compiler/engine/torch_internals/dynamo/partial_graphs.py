"""Hook: the graph as far as torch.export had come where it gave up: part of the error, no longer printed by each of its layers."""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.torch_internals.patch.patching import around

GIVES = "one message of a program that torch.export refuses"
NEEDS = ("torch.export._trace:get_class_if_classified_error",)


@contextlib.contextmanager
def partial_graphs_in_errors() -> Iterator[None]:
    """While this is entered, an error of torch.export has its graph as a note."""

    def classify(error: Exception, *, original: Any) -> Any:
        found = original(error)
        if graph := vars(error).pop("partial_fx_graph", None):
            error.add_note(f"As far as torch had come:\n{graph}")
        return found

    with around(NEEDS[0], classify):
        yield
