"""Which calls of Dynamo's graph the nodes of a backward are of, by links that are certain."""

from pathlib import Path

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.ir.ids import place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind
from tests.links.quick_captures import nothing_built


def origins_in_backward(
    folder: Path, text: str, function: str, backend: str = "aot_eager"
) -> list[tuple[str, set[str]]]:
    """(what a node of AOTAutograd's backward calls, the names of the calls that it is of), in order, of a function of this file.
    With Inductor's operators and passes kernels are written, but not built.
    """
    (folder / "program.py").write_text(text)
    spec = CaptureSpec(TargetSpec(f"program.py:{function}", str(folder)), CompileOptions(backend=backend))
    with nothing_built():
        found = make_capture(spec, "capture-1", lambda text: None).capture
    links = Provenance(table for table in found.links if table.proof != GUESS)
    (dynamo,) = found.of_kind(StageKind.DYNAMO_GRAPH)
    (backward,) = (stage for stage in found.of_kind(StageKind.AOT_GRAPH) if "backward" in stage.id)
    names = {
        node.id: node.target.rpartition(".")[2] for node in dynamo.graph.nodes if node.op.startswith("call")
    }
    rows = []
    for node in backward.graph.nodes:
        if node.op == "call_function":
            reached = links.ancestors(place(backward.id, node.id)).get(dynamo.id, ())
            rows.append((node.target, {names[name] for name in reached if name in names}))
    return rows
