"""Bodies of higher-order operators are stages, and every kernel of theirs reaches the line it was made from."""

from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.export import edited_graphs
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.program_changes import SetConfig
from compiler.model.edits.editable_stages import edits_graph, why_fixed
from compiler.model.edits.edits import ReplaceTarget, SetArgument
from compiler.model.export import exported_files
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.ids import Place, line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import KernelStage, Stage, StageKind
from compiler.model.session_file.checks import consistent
from tests.helpers.exported_tests import run_exported
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine

PROGRAM = """import torch
from torch._higher_order_ops.map import map as torch_map
from torch._higher_order_ops.scan import scan as torch_scan
from torch._higher_order_ops.while_loop import while_loop
from torch.nn.attention.flex_attention import flex_attention
from torch.utils.checkpoint import checkpoint


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + torch.sin(self.a(x))


class Checkpointed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()

    def forward(self, x):
        x = checkpoint(self.first, x, use_reentrant=False)
        return checkpoint(self.second, x, use_reentrant=False)


class Branches(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 8)

    def forward(self, x):
        def yes(x):
            return self.a(x).sin()

        def no(x):
            return torch.cos(x) - 1

        return torch.cond(x.sum() > 0, yes, no, (x,)) + 1


def loop(x):
    def go_on(i, x):
        return i < 4

    def body(i, x):
        return i + 1, torch.relu(x * 1.1)

    return while_loop(go_on, body, (torch.tensor(0), x))


def scanned(x):
    def step(carry, row):
        new = carry * 0.5 + row
        return new, torch.tanh(new)

    return torch_scan(step, torch.zeros(8), x)


def mapped(x):
    def one(row, y):
        return torch.sin(row) * y

    return torch_map(one, x, x[0].clone()) + 1


def attention(x):
    q = x.reshape(1, 1, 8, 8).expand(1, 2, 8, 8)

    def score(s, b, h, i, j):
        return torch.tanh(s) + (i - j)

    return flex_attention(q * 2, torch.cos(q), q, score_mod=score).sum(1)


def regions(x):
    @torch.compiler.nested_compile_region
    def part(y):
        return torch.sin(y) * torch.cos(y)

    return part(part(x)) + 1


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x) * 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.cos(x) * 2


class Function(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 8)

    def forward(self, x):
        return Double.apply(self.a(x)).relu()


def example_inputs():
    return (torch.randn(8, 8),)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bodies")
    (path / "operators.py").write_text(PROGRAM)
    return path


def captured(folder: Path, name: str, gradients: bool = True) -> LiveCapture:
    torch.manual_seed(0)
    changes = (SetConfig("torch._dynamo.config.capture_scalar_outputs", True),)  # scan and map want it
    spec = CaptureSpec(
        TargetSpec(f"operators.py:{name}", str(folder)), run=RunOptions(gradients=gradients), changes=changes
    )
    live = make_capture(spec, "capture-1", lambda text: None)
    assert not consistent(live.capture)[1]
    return live


def lines_of(links: Provenance, location: Place) -> set[int | None]:
    above = links.ancestors(location)
    return {line_of(line) for stage, lines in above.items() if "operators.py" in stage for line in lines}


def bodies_of(capture: Capture) -> dict[str, Stage]:
    return {stage.id.partition(":")[2]: stage for stage in capture.of_kind(StageKind.BODY)}


def check_all_linked(capture: Capture) -> None:
    links = Provenance(capture.links)
    for stage in capture.stages:
        nodes = stage.graph.nodes if stage.graph is not None else ()
        calls = [node.id for node in nodes if node.op not in ("placeholder", "output")]
        if isinstance(stage.content, KernelStage):
            calls = [kernel.id for kernel in stage.kernels]
        unlinked = [name for name in calls if not lines_of(links, place(stage.id, name))]
        assert unlinked == [], stage.id


PROGRAMS = {
    "Checkpointed": {"dynamo:wrap_body_0", "dynamo:wrap_body_1"},
    "Branches": {"dynamo:cond_true_0", "dynamo:cond_false_0", "forward:aot:true_graph_0"},
    "loop": {"dynamo:cond_fn_0", "dynamo:body_fn_0"},
    "scanned": {"dynamo:scan_combine_fn_0"},
    "mapped": {"dynamo:map_body_0"},
    "attention": {"dynamo:score_mod_0"},
    "regions": {"dynamo:subgraph_0"},
    "Function": {"dynamo:fwd_body_0", "dynamo:bwd_body_0"},
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(PROGRAMS, ("Branches", "Function")))
def test_every_node_and_kernel_reaches_a_line(folder: Path, name: str):
    capture = captured(folder, name).capture
    assert PROGRAMS[name] <= set(bodies_of(capture))
    check_all_linked(capture)
    assert capture.of_kind(StageKind.KERNELS)
    assert [problem.what for problem in capture.problems] == []


@pytest.mark.thorough
def test_nodes_of_two_bodies_that_are_called_alike_are_distinguished(folder: Path):
    capture = captured(folder, "Branches").capture
    links, bodies = Provenance(capture.links), bodies_of(capture)
    sine = next(node.id for node in bodies["dynamo:cond_true_0"].graph.nodes if node.target == "sin")
    reached = links.descendants(place(bodies["dynamo:cond_true_0"].id, sine))
    assert {stage for stage in reached if "false_graph" in stage} == set()
    assert any(stage.endswith("forward:aot:true_graph_0") for stage in reached)
    assert reached[next(stage for stage in reached if stage.endswith("forward:kernels"))]
    assert 35 in lines_of(links, place(bodies["dynamo:cond_true_0"].id, sine))
    block = captured(folder, "Checkpointed").capture
    both = bodies_of(block)
    names = [[node.id for node in both[f"dynamo:wrap_body_{n}"].graph.nodes] for n in (0, 1)]
    assert set(names[0]) & set(names[1]) - {"output"}
    first = Provenance(block.links).descendants(place(both["dynamo:wrap_body_0"].id, "sin"))
    second = Provenance(block.links).descendants(place(both["dynamo:wrap_body_1"].id, "sin"))
    (joint,) = block.of_kind(StageKind.JOINT_GRAPH)
    assert first[joint.id]
    assert second[joint.id]
    assert not first[joint.id] & second[joint.id]


@pytest.mark.thorough
def test_the_node_that_calls_a_body_lights_it(folder: Path):
    capture = captured(folder, "regions").capture
    body = bodies_of(capture)["dynamo:subgraph_0"]
    above = Provenance(capture.links).ancestors(place(body.id, "sin"))
    assert above[body.made_from[0]] >= {"subgraph_0", "invoke_subgraph", "invoke_subgraph_1"}


@pytest.mark.thorough
def test_bodies_stay_when_the_graph_that_calls_them_is_edited(folder: Path):
    live = captured(folder, "Branches")
    (dynamo,) = live.capture.of_kind(StageKind.DYNAMO_GRAPH)
    add = next(node.id for node in dynamo.graph.nodes if node.target == "_operator.add")
    edit = SetArgument(dynamo.id, add, ("args", "1"), ConstantArgument("int", "3"))
    capture = EditedProgram(live).recompile((edit,), "capture-2", lambda text: None)
    assert not consistent(capture)[1]
    assert set(bodies_of(capture)) == set(bodies_of(live.capture))
    check_all_linked(capture)


EDITED = {
    "Branches": ("dynamo:cond_true_0", "sin", "cos", "self.a(x).sin()", "self.a(x).cos()"),
    "regions": ("dynamo:subgraph_0", "torch.sin", "torch.tanh", "torch.sin(y) *", "torch.tanh(y) *"),
    "Function": ("dynamo:bwd_body_0", "torch.cos", "torch.tanh", "g * torch.cos", "g * torch.tanh"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(EDITED))
def test_an_edited_body_is_what_torch_makes_of_the_same_edit_in_the_source(
    folder: Path, name: str, tmp_path: Path
):
    body, target, other, old, new = EDITED[name]
    live = captured(folder, name)
    stage = bodies_of(live.capture)[body]
    node = next(node for node in stage.graph.nodes if node.target == target)
    edit = ReplaceTarget(stage.id, node.id, node.op, other, node.args)
    program = EditedProgram(live)
    made = program.recompile((edit,), "capture-2", lambda text: None)
    assert not consistent(made)[1]
    check_all_linked(made)
    assert next(one for one in bodies_of(made)[body].graph.nodes if one.id == node.id).target == other
    files = exported_files("edits", live.capture, made, (edit,), edited_graphs(program, (edit,)), None)
    back = program.recompile((), "capture-3", lambda text: None)
    assert texts_of(back) == texts_of(live.capture)
    if name == "Function":
        passes_by_itself(files, tmp_path / "exported")
    assert PROGRAM.count(old) == 1
    (tmp_path / "operators.py").write_text(PROGRAM.replace(old, new))
    assert texts_of(made) == texts_of(captured(tmp_path, name).capture)


def texts_of(capture: Capture) -> list[str]:
    return [kernel.source for stage in capture.of_kind(StageKind.KERNELS) for kernel in stage.kernels]


LATE = {
    "Branches": (
        "true_graph_0",
        "aten.sin.default",
        "aten.cos.default",
        "self.a(x).sin()",
        "self.a(x).cos()",
    ),
    "loop": (
        "while_loop_body_graph_0",
        "aten.relu.default",
        "aten.tanh.default",
        "relu(x * 1.1)",
        "tanh(x * 1.1)",
    ),
    "regions": ("repeated_subgraph0", "aten.sin.default", "aten.tanh.default", "sin(y) *", "tanh(y) *"),
    "attention": ("sdpa_score0", "aten.tanh.default", "aten.sin.default", "torch.tanh(s)", "torch.sin(s)"),
}
"""Program, body behind AOTAutograd, what it calls, what is put there, and the same in the source."""


def passes_by_itself(files: dict[str, str], folder: Path) -> None:
    """The exported test, run without us: edits made, kernels and results those of here."""
    folder.mkdir()
    for file, text in files.items():
        (folder / file).write_text(text)
    run_exported(folder)


def results_of(live: LiveCapture) -> dict[str, torch.Tensor]:
    return live.stepper.compared_step(live.compiled).tensors


def is_steady(live: LiveCapture) -> bool:
    """Whether the unedited code gives eager's results each time: plain torch.compile reads what nobody wrote where it does not."""
    eager = live.stepper.compared_step(live.program.callable).tensors["output 0"]
    return all(torch.allclose(results_of(live)["output 0"], eager, atol=1e-4) for _ in range(16))


QUICK = {("loop", "post_grad"): (), ("Branches", "aot"): pytest.mark.thorough}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "what"),
    [
        pytest.param(name, what, marks=QUICK.get((name, what), pytest.mark.slow))
        for name in LATE
        for what in ("aot", "post_grad")
    ],
)
def test_a_body_behind_autograd_is_edited_and_exported(folder: Path, name: str, what: str, tmp_path: Path):
    body, target, other, old, new = LATE[name]
    live = captured(folder, name, gradients=False)
    if name == "attention" and not is_steady(live):
        pytest.skip("torch's own flex_attention gives other results from call to call on this CPU")
    stage = bodies_of(live.capture)[f"inference:{what}:{body}"]
    assert edits_graph(stage)
    assert why_fixed(stage) == ""
    node = next(node for node in stage.graph.nodes if node.target == target)
    edit = ReplaceTarget(stage.id, node.id, node.op, other, node.args)
    program = EditedProgram(live)
    graphs, problems = program.preview((edit,))
    assert problems == ()
    assert [stage for stage, _ in graphs] == [stage.id]
    made = program.recompile((edit,), "capture-2", lambda text: None)
    assert not consistent(made)[1]
    check_all_linked(made)
    assert (
        next(
            one for one in bodies_of(made)[f"inference:{what}:{body}"].graph.nodes if one.id == node.id
        ).target
        == other
    )
    assert texts_of(made) != texts_of(live.capture)
    verdict = judge_edits(program, (edit,), 0.0, lambda text: None)
    assert [row.agrees for row in verdict.comparisons if row.agrees is not None], verdict
    assert all(row.agrees is not False for row in verdict.comparisons), verdict
    edited = results_of(live)
    files = exported_files("edits", live.capture, made, (edit,), edited_graphs(program, (edit,)), verdict)
    back = program.recompile((), "capture-3", lambda text: None)
    assert texts_of(back) == texts_of(live.capture)
    assert PROGRAM.count(old) == 1
    (tmp_path / "operators.py").write_text(PROGRAM.replace(old, new))
    in_source = results_of(captured(tmp_path, name, gradients=False))
    for result, expected in in_source.items():
        torch.testing.assert_close(edited[result], expected)
    passes_by_itself(files, tmp_path / "exported")
