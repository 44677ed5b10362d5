import pytest
from PySide6.QtWidgets import QApplication

from app.window.kernel_forms.knob_dialog import KnobDialog, Wanted
from compiler.model.edits.kernel_knobs import LOOP_ORDER, KernelKnobs, KnobState
from compiler.model.ir.diagnostics import Problem

ANSWER = KernelKnobs(
    "0/0:forward:loops",
    ("op1",),
    (
        KnobState(
            "cpp.threads", "2, torch's number of threads", "set to torch.get_num_threads()", ((1, 3), (4, 1))
        ),
        KnobState("cpp.dynamic_threads", "no", "", ((True, 5),)),
        KnobState(LOOP_ORDER, "0, 1", "", (("1, 0", 0),)),
    ),
    ("cpp.use_decompose_tanh",),
)


@pytest.fixture
def made(qapp: QApplication) -> tuple[KnobDialog, list[Wanted]]:
    taken: list[Wanted] = []
    turned = {"cpp.threads": 8}
    dialog = KnobDialog("cpp_fused_relu_0", turned.get, taken.append)
    dialog.open()
    return dialog, taken


def test_values_that_change_the_code_are_chosen_from(made: tuple[KnobDialog, list[Wanted]]) -> None:
    dialog, taken = made
    assert not dialog.apply_button.isEnabled()
    dialog.take(ANSWER)
    assert not dialog.apply_button.isEnabled()
    assert "tanh from exp" in dialog.state.text()
    threads = dialog.fields["cpp.threads"]
    assert threads.currentData() == 8  # turned before, and offered though it was not tried
    assert [threads.itemData(row) for row in range(threads.count())] == [None, 1, 4, 8]
    assert threads.itemText(1) == "1   (3 lines change)"
    threads.setCurrentIndex(0)
    dialog.fields[LOOP_ORDER].setCurrentIndex(1)
    dialog.apply_button.click()
    assert taken == [{"cpp.threads": None, LOOP_ORDER: "1, 0"}]


def test_why_there_are_none_is_reported(made: tuple[KnobDialog, list[Wanted]]) -> None:
    dialog, taken = made
    dialog.take(Problem("No C++ kernel runs op5.", "Select a kernel with a source."))
    assert "No C++ kernel" in dialog.state.text()
    dialog.reject()
    assert taken == []
