"""Links of bytecode stand where torch says that a node or a break comes from, in line and in column."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.frames import BreakCategory
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.programs import Instruction
from compiler.model.ir.stage import BytecodeStage, SourceStage, StageKind
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine
_PROGRAMS = Path(__file__).parents[1] / "bytecode_programs"
_LINES = (_PROGRAMS / "shifting.py").read_text().splitlines()


def _captured(name: str) -> Capture:
    spec = CaptureSpec(
        TargetSpec(f"shifting.py:{name}", str(_PROGRAMS), inputs="torch.ones(8)"),
        CompileOptions(backend="eager"),
        RunOptions(training=False, gradients=False),
    )
    return make_capture(spec, "capture-1", lambda text: None).capture


def _instructions(capture: Capture) -> dict[tuple[str, str], tuple[str, Instruction]]:
    return {
        (stage.id, item.id): (stage.content.code.path, item)
        for stage in capture.of_kind(StageKind.BYTECODE)
        if isinstance(stage.content, BytecodeStage)
        for item in stage.content.code.instructions
    }


def _written(item: Instruction) -> str:
    """The text that an instruction stands for."""
    assert item.line is not None
    assert item.line == item.end_line
    return _LINES[item.line - 1].encode()[item.column : item.end_column].decode()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Shifted", "broken"])
def test_instructions_of_a_node_are_where_its_stack_says(name: str) -> None:
    capture = _captured(name)
    assert not capture.problems
    known = _instructions(capture)
    made: dict[tuple[str, str], list[tuple[str, Instruction]]] = {}
    for table in capture.links:
        if table.kind == "traced":
            for source, target in table.pairs:
                made.setdefault((table.target, target), []).append(known[table.source, source])
    checked = 0
    for stage in capture.of_kind(StageKind.DYNAMO_GRAPH):
        for node in stage.graph.nodes:
            if node.op in ("placeholder", "output"):
                continue
            mine = [line for line in node.stack if line.path.endswith("shifting.py")]
            found = made[stage.id, node.id]
            assert {(line.path, line.line) for line in mine} == {(path, item.line) for path, item in found}
            word = node.target.rpartition(".")[2]
            innermost = [item for _, item in found if item.line == mine[-1].line]
            if f"torch.{word}(" in mine[-1].text:
                assert any(_written(item).startswith(f"torch.{word}(") for item in innermost)
                checked += 1
    assert checked >= 4


@pytest.mark.thorough
def test_instructions_of_breaks_are_where_their_stacks_say() -> None:
    capture = _captured("broken")
    known = _instructions(capture)
    breaks = [item for item in capture.breaks if item.sort is BreakCategory.BREAK]
    assert len(breaks) == 2
    for item in breaks:
        _, instruction = known[item.instruction.stage, item.instruction.nodes[0]]
        assert instruction.line == item.stack[-1].line
    locations = [
        known[item.instruction.stage, item.instruction.nodes[0]][1] for item in breaks if item.instruction
    ]
    assert _written(locations[0]) == 'print("between")'
    assert locations[1].opname.startswith("POP_JUMP")


def test_lines_that_were_traced_are_the_lines_that_ran() -> None:
    capture = _captured("Shifted")
    (source,) = [stage for stage in capture.of_kind(StageKind.SOURCE) if stage.id.endswith("shifting.py")]
    traced = {_LINES[line - 1].strip() for line in source.content.file.traced_lines}  # type: ignore[union-attr]
    assert "x = torch.sin(x)" in traced
    assert "x = x + y" not in traced
    assert not any("torch.exp" in text for text in traced)


@pytest.mark.thorough
def test_an_exported_program_leads_to_the_lines_that_it_was_exported_from(tmp_path: Path) -> None:
    net = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x) * 2\n"
    (tmp_path / "net.py").write_text(net)
    program = """import torch
from net import Net

exported = torch.export.export(Net(), (torch.ones(3),)).module()


def run(x):
    return exported(torch.sin(x))
"""
    (tmp_path / "exports.py").write_text(program)
    spec = CaptureSpec(
        TargetSpec("exports.py:run", str(tmp_path), inputs="torch.ones(3)"), CompileOptions(backend="eager")
    )
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    assert not consistent(capture)[1]
    links, graph = Provenance(capture.links), next(iter(capture.of_kind(StageKind.DYNAMO_GRAPH)))

    def lines(target: str) -> set[tuple[str, str]]:
        node = next(node for node in graph.graph.nodes if node.target == target)
        above = links.ancestors(place(graph.id, node.id)).items()
        return {
            (Path(name).name, line) for name, found in above if name.startswith("source:") for line in found
        }

    assert lines("torch.sin") == {("exports.py", "L8")}
    assert lines("aten.relu.default") == {("exports.py", "L8"), ("net.py", "L6")}
    files = {
        Path(stage.content.file.path).name: stage.content.file
        for stage in capture.stages
        if isinstance(stage.content, SourceStage)
    }
    assert files["net.py"].captured_lines == ((6, graph.compile_id),)
