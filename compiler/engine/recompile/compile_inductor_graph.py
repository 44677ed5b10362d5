"""Compiling one forward, backward or inference graph again by itself."""

import dataclasses
import time
from collections.abc import Callable

from compiler.engine.capture.input_roles import carry_roles
from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.fx.output_aliases import aliases
from compiler.engine.graph_editing.stage_editor import edit_module
from compiler.engine.recompile.build_kernels import build_error_in, build_kernels, fresh_record
from compiler.engine.recompile.check_fusion import require_choices
from compiler.engine.recompile.compile_shared_stages import recorder_of
from compiler.engine.recompile.edit_directives import chosen_fusions, chosen_knobs, directed
from compiler.engine.recompile.version_store import (
    Edits,
    GraphVersions,
    InductorGraphVersion,
    SharedStages,
    graph_version,
    of_graphs,
)
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.inductor_kernels.kernel_knobs import Answered, Trial
from compiler.engine.torch_internals.live.live_graphs import LiveInductorGraph, LiveProgram
from compiler.engine.torch_internals.memoized.all_of_them import memoized
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.patch.rare_collections import rare_collections
from compiler.engine.torch_internals.registry.listening import listening
from compiler.model.edits.edits import stages_of
from compiler.model.edits.kernel_knobs import KnobState
from compiler.model.edits.stage_order import concerns
from compiler.model.ir.ids import NodeId

ReportProgress = Callable[[str], None]


class InductorGraphCompiler:
    """Brings Inductor graphs of one Dynamo graph to edits of their own; what is compiled already is not compiled
    again.
    """

    def __init__(self, live: LiveProgram, versions: GraphVersions) -> None:
        self.live = live
        self.versions = versions
        self.dynamo_graph = versions.dynamo_graph
        self.name = versions.name

    def bring(
        self,
        shared_stages: SharedStages,
        inductor_graph: LiveInductorGraph,
        wanted: Edits,
        report_progress: ReportProgress,
    ) -> bool:
        """Let an Inductor graph run with these edits of its own; False where its backward cannot take what it would
        return. Raises EngineError.
        """
        key = inductor_graph.part, wanted
        if key in shared_stages.compiled:
            self.activate(inductor_graph, shared_stages.compiled[key])
            return True
        graphs = of_graphs(wanted)
        if graphs != wanted:
            if not self.bring(shared_stages, inductor_graph, graphs, report_progress):
                return False
            known = shared_stages.compiled[inductor_graph.part, graphs]
            recorder = recorder_of(
                self.live, dataclasses.replace(shared_stages.record, inductor_graphs=[]), report_progress
            )
            record = build_kernels(inductor_graph, known.record, self.name, wanted, recorder)
            shared_stages.compiled[key] = graph_version(inductor_graph, record)
            return True
        return self._compile(shared_stages, inductor_graph, wanted, report_progress)

    def _compile(
        self,
        shared_stages: SharedStages,
        inductor_graph: LiveInductorGraph,
        wanted: Edits,
        report_progress: ReportProgress,
    ) -> bool:
        start, origin = self.versions.inductor_graph_start(shared_stages, inductor_graph.part, wanted)
        first = next(
            version for (part, _), version in shared_stages.compiled.items() if part == inductor_graph.part
        )
        inductor_graph.sources = dict(origin.sources)
        stage = inductor_graph_id(self.name, inductor_graph.part, start)
        module = clone_module(origin.sources[start])
        record = dataclasses.replace(
            shared_stages.record, inductor_graphs=[], rewrites=list(shared_stages.record.rewrites)
        )
        recorder = recorder_of(self.live, record, report_progress)
        if start == "post_grad":
            edit_module(
                module, read_graph(origin.sources[start].graph, joint_role), wanted, stage, self.dynamo_graph
            )
            fresh = fresh_record(origin.record, chosen_fusions(self.name, inductor_graph.part, wanted))
            fresh.knobs = chosen_knobs(self.name, inductor_graph.part, wanted)
            recorder.current_inductor_graphs.append(fresh)
        report_progress(f"Compiling the edited {inductor_graph.part} graph of {self.name}")
        live = self.live
        with (
            rare_collections(),
            memoized(),
            settings.capturing(),
            listening(recorder),
            directed(live, self.dynamo_graph, wanted),
        ):
            try:
                live.compile_inductor_graph(self.dynamo_graph, inductor_graph, module, start)
            except Exception as error:
                raise build_error_in(error) from error
        if start == "post_grad":
            fresh.seconds["whole"] = time.perf_counter() - fresh.started
        else:
            fresh = record.inductor_graphs[-1]
            fresh.choices = chosen_fusions(self.name, inductor_graph.part, wanted)
            fresh.knobs = chosen_knobs(self.name, inductor_graph.part, wanted)
            fresh.aot_edited = any(concerns(stages_of(edit), stage) for edit in wanted)
        loops = inductor_graph_id(self.name, inductor_graph.part, "loops")
        require_choices(fresh, (*shared_stages.edits, *wanted), loops)
        carry_roles(dataclasses.replace(shared_stages.record, inductor_graphs=[fresh]))
        if (
            inductor_graph.part == "forward"
            and len(shared_stages.inductor_graphs) > 1
            and not _fits(first, inductor_graph, fresh)
        ):
            return False
        shared_stages.compiled[inductor_graph.part, wanted] = graph_version(inductor_graph, fresh)
        return True

    def try_knobs(
        self,
        shared_stages: SharedStages,
        inductor_graph: LiveInductorGraph,
        wanted: Edits,
        nodes: tuple[NodeId, ...],
        report_progress: ReportProgress,
    ) -> tuple[KnobState, ...]:
        """What each of Inductor's knobs does to the kernels of some nodes, with these edits of the Inductor graph:
        their code is generated with each, nothing is built, and what runs stays. Raises EngineError.
        """
        wanted = of_graphs(wanted)
        start, origin = self.versions.inductor_graph_start(shared_stages, inductor_graph.part, wanted)
        stage = inductor_graph_id(self.name, inductor_graph.part, start)
        if start != "post_grad":
            what = f"The edits of the {inductor_graph.part} graph are not compiled yet."
            raise EngineError(what, "Recompile first.")
        module = clone_module(origin.sources[start])
        recorder = recorder_of(
            self.live, dataclasses.replace(shared_stages.record, inductor_graphs=[]), report_progress
        )
        edit_module(
            module, read_graph(origin.sources[start].graph, joint_role), wanted, stage, self.dynamo_graph
        )
        recorder.current_inductor_graphs.append(fresh_record(origin.record, ()))
        trial = Trial(nodes)
        live = self.live
        try:
            with (
                settings.capturing(),
                listening(recorder),
                directed(live, self.dynamo_graph, wanted),
                trial.asking(),
            ):
                own = live.knobs(
                    inductor_graph.part
                )  # what is turned for these nodes would hide what Inductor does by itself
                live.knobs = lambda part: tuple(row for row in own if row.node not in nodes)
                live.compile_inductor_graph(self.dynamo_graph, inductor_graph, module, start)
        except Answered:
            return trial.states()
        except Exception as error:
            raise build_error_in(error) from error
        what = f"No C++ kernel runs {', '.join(nodes)}: a library call, or code for another device."
        raise EngineError(what, "Select a kernel with a source.")

    def activate(self, inductor_graph: LiveInductorGraph, version: InductorGraphVersion) -> None:
        """Let an Inductor graph run a version that was compiled before."""
        inductor_graph.swap(version.callable)
        inductor_graph.module, inductor_graph.strides, inductor_graph.sources = (
            version.module,
            version.strides,
            dict(version.sources),
        )


def _fits(
    before: InductorGraphVersion, inductor_graph: LiveInductorGraph, fresh: InductorGraphRecord
) -> bool:
    """Whether the backward, as compiled, can take what the forward returns now: the same layouts, and nothing it may
    overwrite that is seen elsewhere.
    """
    same = len(before.strides) == len(inductor_graph.strides) and all(
        was is None or now is None or was == now
        for was, now in zip(before.strides, inductor_graph.strides, strict=True)
    )
    old, new = before.record.post_grad, fresh.post_grad
    return same and (old is None or new is None or aliases(old) == aliases(new))


def keeps_aliases(version: InductorGraphVersion) -> bool:
    """Whether what a forward returns shares memory as it did before its edits: the backward was compiled for that."""
    final = version.record.post_grad
    return final is None or aliases(read_graph(version.sources["aot"].graph, joint_role)) == aliases(final)
