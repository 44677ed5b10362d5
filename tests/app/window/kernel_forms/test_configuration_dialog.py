"""Choosing block sizes, warps and stages in a table."""

from app.window.kernel_forms.configuration_dialog import ConfigurationDialog, known_configurations
from compiler.analysis.gpu.triton_config import KernelConfiguration, configurations_in, with_configurations
from tests.helpers.shown_widget import on_screen
from tests.helpers.triton_capture import SOURCE, TRITON, answer


def opened(qtbot, made):
    return on_screen(
        qtbot, ConfigurationDialog(TRITON, SOURCE, known_configurations(SOURCE, answer()), made.append)
    )


def test_what_was_lowered_is_what_one_starts_from(qtbot):
    dialog = opened(qtbot, [])
    texts = [dialog.table.item(0, column).text() for column in range(3)]
    assert texts == ["256", "4", "1"]
    assert not dialog.apply_button.isEnabled()
    assert known_configurations(SOURCE, None) == ()
    chosen = KernelConfiguration((("XBLOCK", 64),), 2, 1)
    assert known_configurations(with_configurations(SOURCE, (chosen,)), answer()) == (chosen,)


def test_rows_become_an_edited_source(qtbot):
    made = []
    dialog = opened(qtbot, made)
    dialog.add_button.click()
    dialog.table.item(1, 1).setText("8")
    assert dialog.apply_button.isEnabled()
    dialog.apply_button.click()
    (source,) = made
    blocks = (("XBLOCK", 256),)
    assert configurations_in(source) == (KernelConfiguration(blocks, 4, 1), KernelConfiguration(blocks, 8, 1))


def test_what_triton_would_not_take_is_reported_before(qtbot):
    dialog = opened(qtbot, [])
    dialog.table.item(0, 0).setText("96")
    assert "powers of two" in dialog.fault.text()
    assert not dialog.apply_button.isEnabled()
    dialog.table.item(0, 0).setText("many")
    assert "no number" in dialog.fault.text()
