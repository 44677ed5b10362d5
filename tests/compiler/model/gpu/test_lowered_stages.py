"""What Triton kernels are lowered to, as stages of a capture with links line by line."""

from pathlib import Path

from compiler.analysis.session_file.session_file import SessionData, read_session, write_session
from compiler.analysis.text_format.printer import program
from compiler.model.gpu.lowered_stages import lowered_answer, stage_below, triton_kernels, with_lowered
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.session_file.checks import consistent
from tests.helpers.sample_capture import KERNELS, POST_GRAD, WRAPPER
from tests.helpers.sample_capture import SOURCE as FILE
from tests.helpers.triton_capture import MUL_LINE, RELU_LINE, TRITON, answer, triton_capture

PTX, SASS = "0/0:forward:ptx", "0/0:forward:sass"


def test_every_form_is_a_stage_behind_the_wrapper():
    capture = with_lowered(triton_capture(), (answer(),))
    assert not consistent(capture)[1]
    ids = [stage.id for stage in capture.stages]
    assert ids[ids.index(WRAPPER) + 1 :][:2] == [PTX, SASS]
    assert capture.stage(SASS).made_from == (PTX,)
    assert capture.stage(PTX).made_from == (KERNELS,)
    code = program(capture.stage(PTX))
    assert code.language == "ptx"
    assert code.lines_of({f"{TRITON}:L3"}) == (4,)  # a line that names the kernel stands before
    assert capture.stage(PTX).seconds == 0.01
    assert capture.stage(SASS).seconds is None


def test_a_line_of_machine_code_leads_up_to_python_and_across_to_the_other_forms():
    links = Provenance(with_lowered(triton_capture(), (answer(),)).links)
    reached = links.follow(place(SASS, f"{TRITON}:L2"))
    assert f"{TRITON}:L{RELU_LINE}" in reached[KERNELS].nodes
    assert reached[POST_GRAD].nodes == ("relu",)
    assert reached[FILE].nodes == ("L6",)
    assert reached[PTX].nodes == (f"{TRITON}:L3",)


def test_a_line_of_python_leads_down_to_machine_code():
    links = Provenance(with_lowered(triton_capture(), (answer(),)).links)
    reached = links.follow(place(FILE, "L7"))
    assert f"{TRITON}:L{MUL_LINE}" in reached[KERNELS].nodes
    assert f"{TRITON}:L4" in reached[PTX].nodes
    assert f"{TRITON}:L3" in reached[SASS].nodes


def test_lowering_again_takes_the_place_of_what_was_lowered():
    once = with_lowered(triton_capture(), (answer(),))
    assert with_lowered(once, ()) == once
    again = with_lowered(once, (answer(registers=40),))
    assert [stage.id for stage in again.stages] == [stage.id for stage in once.stages]
    assert lowered_answer(again, TRITON).lowered[0].registers == 40
    assert len(again.lowered) == 1
    assert not consistent(again)[1]


def test_it_is_kept_in_a_file_with_each_text_once(tmp_path: Path):
    capture = with_lowered(triton_capture(), (answer(),))
    write_session(tmp_path / "a.loupe", SessionData((capture,)))
    (read,) = read_session(tmp_path / "a.loupe").captures
    assert read == capture
    assert not any(form.text for row in read.lowered for form in row.lowered[0].forms)
    assert stage_below(read, KERNELS, "ptx").content.kernels[0].text.startswith(".target")


def test_only_triton_kernels_with_a_source_are_lowered():
    assert [kernel.name for kernel in triton_kernels(triton_capture())] == [TRITON]
