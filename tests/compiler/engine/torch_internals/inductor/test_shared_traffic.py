"""What fusions would save is torch's own score, and is explained by what both nodes touch in the same order."""

import pytest

from compiler.model.capture.capture import Capture
from compiler.model.ir.loop_ir import LoopNode
from compiler.model.ir.stage import LoopStage, StageKind


def common_bytes(first: LoopNode, second: LoopNode) -> int:
    mine = {*first.reads, *first.writes}
    return sum(item.bytes or 0 for item in {*second.reads, *second.writes} if item in mine)


@pytest.mark.thorough
def test_torchs_score_is_what_both_nodes_touch(transformer: Capture) -> None:
    seen = 0
    for stage in transformer.of_kind(StageKind.FUSED_LOOP_IR):
        assert isinstance(stage.content, LoopStage)
        program = stage.content.program
        nodes = {node.id: node for node in program.nodes}
        assert program.all_shared
        for row in program.shared:
            first, second = nodes[row.first], nodes[row.second]
            assert row.bytes > 0
            expected = common_bytes(first, second)
            if expected:
                assert row.bytes == expected
                seen += 1
    assert seen > 5
