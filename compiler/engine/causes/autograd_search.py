"""Between Dynamo's graph and what Inductor is handed: decompositions, joint passes and the partition are taken out one by one.

For each trial AOTAutograd traces the graph again; what comes of it is run op by op, so nothing is built.
"""

import contextlib
import re
from collections.abc import Callable, Iterator

import torch

from compiler.engine.capture.assemble_passes import passes_of
from compiler.engine.causes.graph_levels import GraphPart, install
from compiler.engine.causes.right_results import first_wrong
from compiler.engine.causes.trials import Search
from compiler.engine.file_ownership import innermost
from compiler.engine.measuring.interleaved_timing import Around
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.engine.torch_internals.aot_autograd.plain_tracing import (
    nothing_shared,
    plainest_cut,
    without_passes,
)
from compiler.engine.torch_internals.inductor.bisect_switches import (
    DECOMPOSITION,
    Applied,
    inductor_interprets,
    joint_passes,
    joint_rewrites,
    switched,
)
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.model.capture.counted import first_of
from compiler.model.experiments.causes import CauseFound
from compiler.model.ir.ids import NodeId

_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_EVERY = 10**9
_SHOWN = 4

Switch = Callable[[Callable[[int], bool]], contextlib.AbstractContextManager[list[Applied]]]
"""Lets only those of something happen whose number, from 0, is allowed; gives all that were asked about."""


def search_autograd(search: Search, part: GraphPart) -> CauseFound:
    """What makes the graph that AOTAutograd hands to Inductor another one than Dynamo's."""
    tracing = _Tracing(search, part)
    if search.run(f"{part.name} traced by AOTAutograd alone, nothing decomposed", tracing.plain):
        stage = dynamo_graph_id(part.compile_id, "joint")
        return search.found(
            f"AOTAutograd makes another program of the graph {part.name}: it is wrong with nothing decomposed and no pass run, "
            "each graph run op by op.",
            "autograd",
            graph=part.compile_id,
            stage=stage,
        )
    for words, around in _PARTITION:
        if search.run(f"{part.name} {words}", tracing.within(around)) is False:
            return search.found(
                f"How the joint graph of {part.name} is cut is wrong: {words}, the results are right.",
                "partition",
                graph=part.compile_id,
                stage=dynamo_graph_id(part.compile_id, "joint"),
                right_with=(words,),
            )
    if (
        search.run(
            f"{part.name} without pattern rewrites of the joint graph", tracing.first(joint_rewrites, 0)
        )
        is False
    ):
        return _joint(search, part, tracing, "pattern rewrite", joint_rewrites)
    if search.run(f"{part.name} without joint passes", tracing.first(joint_passes, 0)) is False:
        return _joint(search, part, tracing, "pass", joint_passes)
    if search.run(f"{part.name} without decompositions", tracing.decomposing(0)) is False:
        return _decomposition(search, part, tracing)
    return search.not_found(
        f"AOTAutograd's graphs of {part.name} are wrong, but not when it traces alone: neither a decomposition, nor a joint "
        "pass, nor the partition is it by itself."
    )


class _Tracing:
    """The graph traced again, with something taken out; what is running is put back."""

    def __init__(self, search: Search, part: GraphPart) -> None:
        self._search = search
        self._part = part
        self.asked: list[Applied] = []

    @contextlib.contextmanager
    def plain(self) -> Iterator[None]:
        """With nothing decomposed."""
        with switched(DECOMPOSITION, lambda *_: False), without_passes(), plainest_cut(), self._traced():
            yield

    def decomposing(self, count: int) -> Around:
        """With the first decompositions alone."""
        return self._asking(lambda: switched(DECOMPOSITION, lambda number, _: number < count))

    def first(self, switch: Switch, count: int) -> Around:
        """With the first of something that a switch counts alone."""
        return self._asking(lambda: switch(lambda number: number < count))

    def _asking(self, switch: Callable[[], contextlib.AbstractContextManager[list[Applied]]]) -> Around:
        @contextlib.contextmanager
        def around() -> Iterator[None]:
            with switch() as self.asked, self._traced():
                yield

        return around

    def within(self, outer: Around) -> Around:
        """With something else around the tracing."""

        @contextlib.contextmanager
        def around() -> Iterator[None]:
            with outer(), self._traced():
                yield

        return around

    @contextlib.contextmanager
    def _traced(self) -> Iterator[None]:
        program, part = self._search.program, self._part
        graph, live = part.graph, program.base.live
        module, _ = program.edited_module(dynamo_graph_id(part.compile_id, "dynamo"), self._search.edits)
        kept = graph.function, graph.inductor_graphs, graph.sources, graph.traced
        with contextlib.ExitStack() as stack:
            try:
                with settings.recompiling(backward=graph.has_backward), inductor_interprets():
                    live.compile_dynamo(graph, clone_module(module))
                traced = graph.function
            finally:
                graph.function, graph.inductor_graphs, graph.sources, graph.traced = kept
            assert traced is not None
            install(stack, graph, traced)
            with torch.compiler.set_stance("eager_on_recompile"):
                yield


def _narrowed(
    search: Search, tracing: _Tracing, words: str, having: Callable[[int], Around]
) -> tuple[Applied, bool] | None:
    """The application that makes it wrong, and whether it is that one alone; None where torch asked about none. What is asked
    about is reported by tracing alone, so the first trial and the last run even where their answers are known.
    """
    search.run(f"with all {words}", having(_EVERY), fresh=True)
    count = len(tracing.asked)
    if not count:
        return None
    right, wrong = first_wrong(
        count, lambda number: search.run(f"with the first {number} of {count} {words}", having(number))
    )
    search.run(f"with the first {wrong} of {count} {words}", having(wrong), fresh=True)
    return tracing.asked[wrong - 1], wrong - right == 1


def _decomposition(search: Search, part: GraphPart, tracing: _Tracing) -> CauseFound:
    found = _narrowed(search, tracing, "decompositions", tracing.decomposing)
    if found is None:
        return search.not_found(f"A decomposition in {part.name} is wrong; which one torch did not tell.")
    applied, alone = found
    operator = _operator(applied.name)
    path, line = _line(applied)
    nodes = _nodes(applied, part)
    one_of = "" if alone else " (or one just before it)"
    return search.found(
        f"The decomposition of {operator}{one_of} is wrong{_at(nodes, path, line)}: without it, the results are right.",
        "decomposition",
        graph=part.compile_id,
        stage=dynamo_graph_id(part.compile_id, "dynamo"),
        name=operator,
        nodes=nodes,
        path=path,
        line=line,
    )


def _joint(search: Search, part: GraphPart, tracing: _Tracing, what: str, switch: Switch) -> CauseFound:
    """A pass over the joint graph, or one rewrite in one."""
    many = "passes" if what == "pass" else "rewrites"
    found = _narrowed(
        search, tracing, f"{many} of the joint graph", lambda count: tracing.first(switch, count)
    )
    if found is None:
        return search.not_found(
            f"A {what} of the joint graph of {part.name} is wrong; which one torch did not tell."
        )
    applied, alone = found
    path, line = _line(applied)
    nodes = _nodes(applied, part) or _made_by(applied.name, part)
    one_of = "" if alone else " (or one just before it)"
    where = _at(nodes, path, line)
    return search.found(
        f"The joint {what} {applied.name}{one_of} over {part.name} is wrong{where}: without it, the results are right.",
        "joint pass",
        graph=part.compile_id,
        stage=dynamo_graph_id(part.compile_id, "joint"),
        name=applied.name,
        nodes=nodes,
        path=path,
        line=line,
    )


def _operator(name: str) -> str:
    """``<OpOverload(op='aten.gelu', overload='default')>`` as ``aten.gelu.default``."""
    match = re.search(r"op='([^']+)', overload='([^']+)'", name)
    return f"{match[1]}.{match[2]}" if match else name


def _line(applied: Applied) -> tuple[str, int | None]:
    rows = [(path, int(line)) for path, line in _LINE.findall(applied.stack)]
    return innermost(rows, lambda row: row[0]) or ("", None)


def _nodes(applied: Applied, part: GraphPart) -> tuple[NodeId, ...]:
    start = f"{part.compile_id}:"
    return tuple(mark.removeprefix(start) for mark in applied.marks if mark.startswith(start))


def _made_by(name: str, part: GraphPart) -> tuple[NodeId, ...]:
    """What a pass over the joint graph made when the program was captured."""
    runs = (run for run in passes_of(part.graph.record).runs if run.phase == "joint" and run.name == name)
    return tuple(node.id for run in runs for node in (*run.made, *run.changed))


def _at(nodes: tuple[NodeId, ...], path: str, line: int | None) -> str:
    words = f" at {first_of(nodes, _SHOWN)}" if nodes else ""
    place = f"{path.rpartition('/')[2]}:{line}"
    if line is None:
        return words
    return f"{words} ({place})" if words else f" at {place}"


_PARTITION: tuple[tuple[str, Around], ...] = (
    ("without common subexpressions (cse = False)", nothing_shared),
    ("with torch's plainest partition, nothing recomputed", plainest_cut),  # which shares nothing either
)
