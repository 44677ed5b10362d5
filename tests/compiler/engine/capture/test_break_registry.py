"""Every entry of torch's registry of graph breaks that we can provoke on a CPU is reported, with its id, line and place."""

import contextlib
import io

import pytest
import torch._dynamo
from torch._dynamo import exc

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.ir.ids import Place
from compiler.model.ir.stage import BytecodeStage
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.registry_cases.reading import FOLDER, Case, cases
from tests.helpers.thoroughness import some

pytestmark = [
    pytest.mark.engine,
    # what the programs themselves warn of, and torch while it reads them
    pytest.mark.filterwarnings("ignore"),
]
_CASES = cases()
_WRITTEN_FOR = "2.13"
"""Another torch may trace what this one breaks on, or break a step earlier."""
_KNOWN = {str(entry) for entry in exc._load_gb_type_to_gb_id_map().values()}


def _capture(case: Case) -> Capture:
    target = TargetSpec(case.target, str(FOLDER), case.inputs)
    spec = CaptureSpec(target, CompileOptions(backend="eager"))
    with torch._dynamo.config.patch(**dict(case.settings)), contextlib.redirect_stdout(io.StringIO()):
        return make_capture(spec, "capture-1", lambda text: None).capture


def _line(item: GraphBreak, path: str) -> int:
    """The innermost line of the program: the break itself may be in a library that it calls."""
    return next((location.line for location in reversed(item.stack) if location.path == path), 0)


def _line_of_instruction(capture: Capture, location: Place) -> int | None:
    content = capture.stage(location.stage).content
    assert isinstance(content, BytecodeStage)
    return next(item.line for item in content.code.instructions if item.id in location.nodes)


@pytest.mark.thorough
@pytest.mark.parametrize("case", some(_CASES, _CASES[::4], one=True), ids=lambda case: case.name)
def test_entry_is_reported_on_its_line(case: Case) -> None:
    capture, path = _capture(case), str(FOLDER / case.file)
    reported = {(_line(item, path), item.registry_id): item for item in capture.breaks}
    for line, entry in case.expected:
        if entry not in _KNOWN:
            continue  # another torch's registry
        if (line, entry) not in reported and not torch.__version__.startswith(_WRITTEN_FOR):
            assert {item.registry_id for item in capture.breaks} <= _KNOWN
            continue
        assert (line, entry) in reported, f"{entry} on line {line} is not among {sorted(reported)}"
        item = reported[line, entry]
        assert item.kind
        assert item.explanation or entry in item.reason.upper()
        if item.instruction is not None and item.stack[-1].path == path:
            assert _line_of_instruction(capture, item.instruction) == line
        else:
            # before the first instruction, or inside a library that no stage shows
            assert item.sort is BreakCategory.SKIPPED_FRAME or item.stack[-1].path != path
    assert not consistent(capture)[1]
    assert not [problem.what for problem in capture.problems if "could not be read" in problem.what]


def test_the_programs_reach_enough_of_the_registry() -> None:
    assert len({entry for case in _CASES for _, entry in case.expected} & _KNOWN) >= 60
