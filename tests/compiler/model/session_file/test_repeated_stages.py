"""Several stages of one id are reported as one fault, and nothing is told of what they have in common."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind
from compiler.model.session_file.checks import consistent
from tests.helpers import sample_capture as sample

_SHARED = "0/0:twice"


def _with(capture: Capture, count: int) -> Capture:
    graph = next(stage for stage in capture.stages if stage.graph is not None)
    node = graph.graph.nodes[0].id  # type: ignore[union-attr]
    equal_locations = tuple(
        Stage(_SHARED, StageKind.PRE_GRAD_GRAPH, f"twin {number}", FxStage(Graph(())), compile_id="0/0")
        for number in range(count)
    )
    links = (LinkTable(graph.id, _SHARED, "same", "name", ((node, "not there"),)),)
    return msgspec.structs.replace(
        capture, stages=(*capture.stages, *equal_locations), links=(*capture.links, *links)
    )


def test_one_fault_for_all_that_repeats() -> None:
    capture = sample.with_passes()
    assert not consistent(capture)[1]
    repeated = _with(capture, 3)
    left, faults = consistent(repeated)
    assert faults == (
        f"several stages have the same id (3 have {_SHARED}): the first of each is kept, without links, passes and fusions",
    )
    assert [stage.title for stage in left.stages if stage.id == _SHARED] == ["twin 0"]
    assert left.links == capture.links
    assert not consistent(left)[1]


def test_a_wrong_link_to_a_stage_that_stands_once_is_reported_as_before() -> None:
    assert any("which is not in" in fault for fault in consistent(_with(sample.with_passes(), 1))[1])
