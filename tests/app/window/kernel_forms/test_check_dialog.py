from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.window.kernel_forms.check_dialog import CheckDialog
from compiler.model.gpu.kernel_checks import GraphCheck, KernelCheck
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.verdicts import Difference
from tests.helpers.table_reader import current_row, seen_rows

ANSWER = GraphCheck(
    "0/0:forward:kernels",
    (
        KernelCheck(
            "triton_poi_0", "triton_poi_0", (Difference("buf1 (relu)", 1e-6, 3e-7),), True, "", "XBLOCK=256 in 16 programs",
            True, 0.1,
        ),
        KernelCheck(
            "triton_red_1", "triton_red_1", (Difference("buf3 (sum_1)", 2.0, 0.5),), False, "", "XBLOCK=4096 in 1 program",
        ),
        KernelCheck("triton_per_2", "triton_per_2", reason="Cannot be interpreted: the interpreter has no libdevice.sad"),
    ),
    "random inputs, normal",
)  # fmt: skip


@pytest.fixture
def dialog(qapp: QApplication) -> Iterator[CheckDialog]:
    made = CheckDialog("triton_red_1")
    made.show()
    yield made
    made.close()


def test_the_selected_kernel_is_shown_with_its_verdict(dialog: CheckDialog) -> None:
    dialog.take((ANSWER,))
    assert dialog.windowTitle() == "Kernels checked on the CPU: 1 of 3 agree, 1 do not"
    chosen = current_row(dialog.table)
    assert chosen.text(0) == "✗  triton_red_1"
    assert chosen.children()[0].text(0) == "buf3 (sum_1)"
    assert "buf3 (sum_1) is off by 5.0e-01" in dialog.state.text()
    assert "smaller" in chosen.text(2)
    assert chosen.is_open()
    dialog.table.make_current("triton_per_2")
    assert "libdevice.sad" in dialog.state.text()


def test_why_there_is_none_is_reported(dialog: CheckDialog) -> None:
    dialog.take(
        (GraphCheck("0/0:forward:kernels", problem=Problem("x has 9 elements, too many.", "Smaller.")),)
    )
    assert "too many" in dialog.state.text()
    assert not seen_rows(dialog.table)
