"""absent GPUs, on the command line. What needs triton is in tests/compiler/worker."""

from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.timing.datasheet_bound import roofline_bound
from compiler.analysis.timing.kernel_work import KernelWork
from compiler.command_line.main import main
from compiler.model.ir.gpu_target import TARGETS
from tests.helpers.sample_capture import capture


def test_an_unknown_gpu_is_reported_with_those_that_are_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["capture", "model.py:Net", "--target", "h999", "-o", str(tmp_path / "x.loupe")]) == 2
    reported = capsys.readouterr().err
    assert "h999" in reported
    assert "mi300x" in reported


def test_a_capture_without_triton_has_nothing_to_lower(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "cpu.loupe"
    write_session(file, SessionData((capture(),)))
    assert main(["lower", str(file)]) == 1
    assert "--target h100" in capsys.readouterr().err
    assert main(["lower", str(file), "no_such_kernel"]) == 1
    assert "no_such_kernel" in capsys.readouterr().err


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_bound_is_what_the_datasheet_allows(target):
    moved = KernelWork(bytes=1 << 30, flops=None)
    assert roofline_bound(moved, target) == pytest.approx((1 << 30) / target.bandwidth)
    heavy = KernelWork(bytes=1024, flops=10**15, dtype="bfloat16")
    assert roofline_bound(heavy, target) == pytest.approx(10**15 / target.flops_half)
    single = KernelWork(bytes=1024, flops=10**15, tf32=True)
    peak = target.flops_fp32 if target.is_amd else target.flops_tf32
    assert roofline_bound(single, target) == pytest.approx(10**15 / peak)
    assert roofline_bound(KernelWork(bytes=None, flops=5), target) is None
    assert target.source
    assert msgspec.json.decode(msgspec.json.encode(target), type=type(target)) == target
