"""A program that is edited: its graphs, and running it with these edits or those."""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.errors import EngineError
from compiler.engine.fx.inductor_rng import as_kernels_do
from compiler.engine.recompile.edited_graphs import EditedGraphs, edits_of
from compiler.engine.rng.random_ops import is_random
from compiler.engine.stage_ids import graph_stage, split
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.edits.stage_order import is_before_autograd
from compiler.model.ir.ids import StageId


class EditedProgram(EditedGraphs):
    """A live capture whose graphs are edited. The running program always matches `edits`, the last that compiled."""

    base: LiveCapture

    def __init__(self, base: LiveCapture) -> None:
        super().__init__(base)
        self._eager_rng_variants: dict[tuple[str, tuple[Edit, ...]], Callable[..., Any]] = {}

    def random_as_eager(
        self, edits: tuple[Edit, ...], report_progress: Callable[[str], None]
    ) -> tuple[str, ...]:
        """Those of the random graphs that can be compiled with these edits so that they draw eager's numbers: there
        dropout looks otherwise behind AOTAutograd, and an edit may not fit it.
        """
        found = []
        for name in self.base.graphs_that_draw():
            with contextlib.suppress(EngineError), self.running(edits, (name,), report_progress):
                found.append(name)
        return tuple(found)

    def random_before_autograd(self, edits: tuple[Edit, ...]) -> tuple[str, ...]:
        """The random graphs in which no graph behind AOTAutograd is edited: run op by op, they draw eager's numbers."""
        later = {
            split(stage)[0] for edit in edits for stage in stages_of(edit) if not is_before_autograd(stage)
        }
        return tuple(name for name in self.base.graphs_that_draw() if name not in later)

    def edits_reach_random_numbers(self, edits: tuple[Edit, ...]) -> bool:
        """Whether an edited graph behind AOTAutograd draws random numbers that no reference can repeat."""
        stages = {graph_stage(stage) for edit in edits for stage in stages_of(edit)}
        behind = set(itertools.filterfalse(is_before_autograd, stages))
        names = {split(stage)[0] for stage in behind}
        return any(
            is_random(node)
            for dynamo_graph in self.base.live.dynamo_graphs
            if dynamo_graph.record.compile_id in names
            for inductor_graph in dynamo_graph.inductor_graphs
            for source in (
                "post_grad",
                *_run_op_by_op(behind, dynamo_graph.record.compile_id, inductor_graph.part),
            )
            if source in inductor_graph.sources
            for node in inductor_graph.sources[source].graph.nodes
            if as_kernels_do(node) is None
        )

    def wrappers_with_other_texts(self) -> Iterator[tuple[Any, Any]]:
        """(wrapper with kernels that a person wrote, that of the same graph as Inductor wrote it), of all that was compiled."""
        for dynamo_graph in self._dynamo_graphs.values():
            yield from dynamo_graph.versions.wrappers_with_other_texts()

    @contextlib.contextmanager
    def switching(self) -> Iterator[Callable[[tuple[Edit, ...]], None]]:
        """A function that lets the program run with other edits, all compiled before; what ran is put back at the end.

        Nothing is done where it runs with these already: a step right after a switch takes longer, the more so the more is edited.
        """
        before = {name: dynamo_graph.edits for name, dynamo_graph in self._dynamo_graphs.items()}
        running: tuple[Edit, ...] | None = None

        def switch(edits: tuple[Edit, ...]) -> None:
            nonlocal running
            if edits is running:
                return
            running = edits
            for name, dynamo_graph in self._dynamo_graphs.items():
                dynamo_graph.restore(edits_of(name, edits))

        try:
            yield switch
        finally:
            for name, dynamo_graph in self._dynamo_graphs.items():
                dynamo_graph.restore(before[name])

    @contextlib.contextmanager
    def running(
        self, edits: tuple[Edit, ...], eager_random: tuple[str, ...], report_progress: Callable[[str], None]
    ) -> Iterator[None]:
        """While this is entered, the program runs with these edits, and the graphs named draw random numbers as eager
        does: those are compiled for it. Raises EngineError where an edit does not fit a graph compiled so.
        """
        with self.switching() as switch, contextlib.ExitStack() as stack:
            switch(edits)
            for name in eager_random:
                dynamo_graph = self._dynamo_graphs[name]
                key = name, edits_of(name, edits)
                if key not in self._eager_rng_variants:
                    self._eager_rng_variants[key] = dynamo_graph.eager_rng_variant(key[1], report_progress)
                stack.callback(
                    setattr, dynamo_graph.dynamo_graph, "function", dynamo_graph.dynamo_graph.function
                )
                dynamo_graph.dynamo_graph.function = self._eager_rng_variants[key]
            yield


def _run_op_by_op(behind: set[StageId], name: str, part: str) -> tuple[str, ...]:
    """The graph before the post-grad passes, where that is what a reference runs: an inference graph draws by torch's operators there,
    since Inductor puts its own in their place later.
    """
    mine = {split(stage)[2] for stage in behind if split(stage)[0] == name and split(stage)[1] in ("", part)}
    return ("aot",) if mine and "post_grad" not in mine else ()
