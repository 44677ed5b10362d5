import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.window.kernel_forms.assumptions_dialog import AssumptionsDialog
from app.window.open_form.compile_form import CompileForm
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.gpu_assumptions import Assumed
from compiler.model.capture.padding_record import decisions, product_of
from tests.helpers import sample_capture

ASSUMED = (
    Assumed(
        "attention",
        "scaled_dot_product_attention runs on the cudnn backend (torch decides that in CUDA's C++).",
    ),
    Assumed(
        "winner",
        "max-autotune takes triton_mm_3 of 2 candidates.",
        (("mm", ""), ("triton_mm_3", "BLOCK_M=64")),
    ),
    Assumed("configuration", "Of a kernel's candidate configurations the first is lowered."),
)


@pytest.fixture
def made(qapp: QApplication) -> Iterator[tuple[AssumptionsDialog, list[CaptureSpec]]]:
    taken: list[CaptureSpec] = []
    capture = msgspec.structs.replace(sample_capture.capture(), assumed=ASSUMED)
    dialog = AssumptionsDialog(capture, taken.append)
    dialog.open()
    yield dialog, taken
    dialog.close()


def test_each_assumption_has_its_switch(made: tuple[AssumptionsDialog, list[CaptureSpec]]) -> None:
    dialog, taken = made
    assert list(dialog.fields) == ["attention", "winner"]
    assert not dialog.apply_button.isEnabled()
    dialog.fields["attention"].setCurrentIndex(dialog.fields["attention"].findData("math"))
    dialog.fields["winner"].setCurrentIndex(dialog.fields["winner"].findData("triton_mm_3"))
    dialog.apply_button.click()
    assert [spec.assume for spec in taken] == [(("attention", "math"), ("winner", "triton_mm_3"))]


def test_torchs_record_is_chosen_kept_and_refused(qapp: QApplication, tmp_path: Path) -> None:
    taken: list[CaptureSpec] = []
    plain = msgspec.structs.replace(
        sample_capture.capture(), assumed=(Assumed("padding", "mm: not padded.", product="mm a", taken="no"),)
    )
    dialog = AssumptionsDialog(plain, taken.append)
    dialog.take_record(tmp_path)
    assert "No file of" in dialog.refused.text()
    assert not dialog.apply_button.isEnabled()
    tensor = "(torch.Size([7, 7]), (7, 1), torch.float16)"
    key = f"({tensor}, {tensor}, 'exclude_pad:False', 'exclude_pad:False', <OpOverloadPacket(op='aten.mm')>, None, None)"
    record = tmp_path / "local_cache"
    record.write_text(json.dumps({"system": {"device": {"name": "GPU 7"}}, "cache": {key: True}}))
    dialog.take_record(record)
    assert dialog.fields["padding"].currentText() == "as recorded on GPU 7 (1 product)"
    assert dialog.refused.isHidden()
    dialog.apply_button.click()
    ((what, value),) = taken[0].assume
    assert (what, decisions(value)) == ("padding", {product_of(key): True})
    dialog.deleteLater()
    again = AssumptionsDialog(msgspec.structs.replace(plain, spec=taken[0]), taken.append)
    assert again.chosen() == taken[0].assume
    assert not again.apply_button.isEnabled()
    again.deleteLater()


def test_the_form_takes_assumptions_with_a_device(qapp: QApplication) -> None:
    form = CompileForm()
    form.assume.setText("attention=math, padding=yes")
    assert form.assumptions() == ()
    assert not form.assume.isEnabled()
    assert (form.run_on(), form.gpu()) == ("", None)
    form.device.setCurrentIndex(form.device.findData("cuda"))
    assert (form.run_on(), form.gpu()) == ("cuda", None)
    assert not form.assume.isEnabled()
    form.device.setCurrentIndex(form.device.count() - 1)
    assert form.gpu() is not None
    assert form.assume.isEnabled()
    assert form.assumptions() == (("attention", "math"), ("padding", "yes"))
    form.assume.setText("attention=fast")
    with pytest.raises(ValueError, match="cudnn"):
        form.assumptions()
    form.deleteLater()
