from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.window.kernel_forms.autotuning_dialog import MeasuredDialog
from compiler.model.capture.gpu_autotuning import (
    CONFIGURATION,
    TEMPLATE,
    Candidate,
    CudaGraphNote,
    MeasuredChoice,
)
from tests.helpers import sample_capture
from tests.helpers.table_reader import seen_rows

MEASURED = (
    MeasuredChoice(
        TEMPLATE,
        "addmm(256×2048, 256×512)",
        (
            Candidate("addmm", "", 41.3e-6),
            Candidate("triton_mm_7", "BLOCK_M=64", 82.6e-6),
            Candidate("triton_mm_9"),
        ),
    ),
    MeasuredChoice(CONFIGURATION, "triton_red_0", (Candidate("XBLOCK: 8, num_warps: 4", "", 116e-6),)),
)


@pytest.fixture
def dialog(qapp: QApplication) -> Iterator[MeasuredDialog]:
    made = MeasuredDialog(msgspec.structs.replace(sample_capture.capture(), measured=MEASURED))
    made.show()
    yield made
    made.close()


def test_every_candidate_has_its_time(dialog: MeasuredDialog) -> None:
    product, _ = seen_rows(dialog.table)
    rows = [row.texts() for row in product.children()]
    assert rows == [
        ["addmm", "41.30 µs", "1.00 ×", ""],
        ["triton_mm_7", "82.60 µs", "2.00 ×", "BLOCK_M=64"],
        ["triton_mm_9", "could not run", "", ""],
    ]


def test_what_became_of_cuda_graphs_is_said() -> None:
    assert CudaGraphNote("forward", "0/0", True, seconds=0.02).words() == (
        "CUDA graph of 0/0 forward: recorded in 20.0 ms, replayed from then on."
    )
    assert CudaGraphNote("", "", False, "mutated inputs").words() == "No CUDA graph: mutated inputs"
