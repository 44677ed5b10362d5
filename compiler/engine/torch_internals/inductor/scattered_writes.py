"""Hook: what Inductor writes in the place of a scatter into a view (the gradient of ``as_strided``): views of the tensor and a
copy into them, made without metadata. They are of the scatter that they are written for.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor.graph_passes import carry_marks
from compiler.engine.torch_internals.patch.patching import around

GIVES = "sources of writes into views"
NEEDS = (
    "torch._inductor.fx_passes.reinplace:_decompose_scatter_mutating",
    "torch._inductor.fx_passes.reinplace:_decompose_scatter_functional",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Give nodes that stand for a scatter its marks; torch puts them right before it, and then takes it out."""

    def decompose(graph: Any, scatter: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        last = scatter.prev
        result = original(graph, scatter, *args, **kwargs)
        if recorder.inductor_graph is not None:
            with recorder.reading("a write into a view"):
                made, fresh = scatter.prev, []
                while made is not last:
                    carry_marks(scatter, made)
                    fresh.append(made.name)
                    made = made.prev
                timeline, dynamo_graph = recorder.timeline, recorder.dynamo_graph
                if dynamo_graph is not None and timeline is not None and timeline.depth:
                    rewrite = timeline.written_out("decompose_generalized_scatter", scatter.name, fresh)
                    dynamo_graph.rewrites.append(rewrite)
        return result

    with around(NEEDS[0], decompose), around(NEEDS[1], decompose):
        yield
