"""A log that torch 2.6 wrote, the oldest that is read: a net with a break, trained, with another batch size at its third step."""

import lzma
from pathlib import Path

from compiler.model.ir.stage import StageKind
from tests.compiler.analysis.torch_logs.recorded_log import capture_of

_LOG = Path(__file__).resolve().parents[3] / "data/torch_trace_2.6.log.xz"


def test_all_of_it_is_read() -> None:
    capture = capture_of(lzma.decompress(_LOG.read_bytes()))
    ids = {stage.id for stage in capture.stages}
    for compile_id in ("0/0", "1/0", "0/1", "1/1"):
        assert {f"{compile_id}:dynamo", f"{compile_id}:joint"} <= ids
        for part in ("forward", "backward"):
            whats = ("aot", "post_grad", "kernels", "wrapper")
            assert {f"{compile_id}:{part}:{what}" for what in whats} <= ids
    assert sum(len(stage.kernels) for stage in capture.of_kind(StageKind.KERNELS)) == 20  # type: ignore[union-attr]
    assert [row.compile_id for row in capture.recompiles] == ["0/1", "1/1"]
    reasons = [
        reason for record in capture.recompiles for entry in record.entries for reason in entry.reasons
    ]
    assert any("expected 8, actual 6" in reason for reason in reasons)
    assert {found.where.line for found in capture.breaks if found.where is not None} == {7}
    linked = {row.target for row in capture.links if row.pairs}
    assert {f"{name}:forward:kernels" for name in ("0/0", "1/0", "0/1", "1/1")} <= linked
    assert not capture.log.broken
