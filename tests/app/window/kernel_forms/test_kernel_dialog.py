"""Editing the source of a generated kernel by hand."""

import pytest

from app.actions.selection_queries import picked_kernel
from app.window.kernel_forms.kernel_dialog import KernelDialog, kernel_errors
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import PreviewEdits
from tests.helpers.sample_capture import KERNELS
from tests.helpers.shown_widget import on_screen


@pytest.fixture
def picked(open_session):
    open_session.show_stage(KERNELS)
    stage = open_session.stage_with_edits(KERNELS)
    kernel = next(kernel for kernel in stage.kernels if kernel.source)
    open_session.selection.select(place(KERNELS, kernel.id))
    found = picked_kernel(open_session)
    assert (found.name, found.source) == (kernel.name, kernel.source)
    return found


def test_the_edit_is_made_when_the_text_was_changed(open_session, engine, picked, qtbot):
    made = []
    dialog = on_screen(qtbot, KernelDialog(picked.name, picked.source, picked.language, {}, made.append))
    assert not dialog.apply_button.isEnabled()
    dialog.editor.setPlainText(picked.source + "\n// mine")
    assert dialog.apply_button.isEnabled()
    dialog.apply_button.click()
    (source,) = made
    open_session.make_edit(ReplaceKernel(picked.stage, picked.name, source))
    assert picked_kernel(open_session).source == source
    assert open_session.has_uncompiled_edits
    assert engine.count(PreviewEdits) <= 1
    open_session.undo()
    assert picked_kernel(open_session).source == picked.source


def test_errors_of_the_compiler_are_shown_on_their_lines(picked, qtbot):
    problems = (
        Problem("no such thing", place=place(KERNELS, f"{picked.name}:L2")),
        Problem("elsewhere", place=place("0/0:dynamo", "relu")),
        Problem("another kernel", place=place(KERNELS, "cpp_other:L1")),
    )
    errors = kernel_errors(problems, picked.stage, picked.name)
    assert errors == {2: "no such thing"}
    dialog = KernelDialog(picked.name, picked.source, picked.language, errors, lambda text: None)
    qtbot.addWidget(dialog)
    assert [mark.tooltip for mark in dialog.editor.marks_on(2)] == ["no such thing"]
    dialog.reject()


def test_a_library_call_has_no_source_to_edit(open_session):
    open_session.show_stage(KERNELS)
    stage = open_session.stage_with_edits(KERNELS)
    extern = next(kernel for kernel in stage.kernels if not kernel.source)
    open_session.selection.select(place(KERNELS, extern.id))
    found = picked_kernel(open_session)
    assert found is None or found.name != extern.name
    open_session.make_edit(ReplaceKernel(KERNELS, extern.name, "x"))
    assert "library call" in open_session.problems[-1].what
