"""An edited graph becomes what torch makes of the same edit in the source: the same text for every kernel and wrapper."""

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import BypassNode, Edit, ReplaceTarget, SetArgument
from compiler.model.ir.arguments import ConstantArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.thoroughness import some
from tests.links.quick_captures import nothing_built

pytestmark = pytest.mark.engine

_F = "torch.nn.functional."
_HERE = Path(__file__).parents[1] / "edited_programs"
_SOURCES = re.compile(r"# Topologically Sorted Source Nodes: .*")
"""Comments with names of Dynamo's nodes: it names them for the user's variables too, and an edited node keeps its name."""
Texts = dict[tuple[str, str], str]


@dataclasses.dataclass(frozen=True)
class Change:
    """One change, said in the source and in Dynamo's graphs."""

    target: str
    old: str
    new: str
    node: str
    """What the targets of the nodes that it is of contain."""
    call: str = ""
    """What they call instead, with their first argument; "": they are bypassed, or another argument is set."""
    constant: int | float | None = None
    at: int = 1
    """Which argument becomes the constant."""
    folder: Path = EXAMPLES
    training: bool = True

    def __str__(self) -> str:
        return f"{self.target.partition(':')[0]} {self.old} to {self.new}".replace("/", "÷")

    def edits(self, program: EditedProgram) -> Iterator[Edit]:
        for dynamo_graph in program.base.live.dynamo_graphs:
            stage = f"{dynamo_graph.record.compile_id}:dynamo"
            for node in _calls(program.base_graph(stage, ())):
                if self.node not in node.target:
                    continue
                if self.constant is not None:
                    constant = ConstantArgument(type(self.constant).__name__, repr(self.constant))
                    yield SetArgument(stage, node.id, ("args", str(self.at)), constant)
                elif self.call:
                    first = SequenceArgument("tuple", node.args.items[:1])
                    yield ReplaceTarget(stage, node.id, "call_function", self.call, first)
                else:
                    yield BypassNode(stage, node.id, node.inputs()[0])


_FAST = (
    Change("mlp_dropout.py:MLP", "torch.relu", "nn.functional.gelu", "relu", f"{_F}gelu"),
    Change("breaky.py:Breaky", "self.dropout(torch.relu(self.fc1(x)))", "torch.relu(self.fc1(x))", "dropout"),
)
_SLOW = (
    Change("mlp.py:MLP", "torch.relu", "torch.sigmoid", "relu", "torch.sigmoid"),
    Change("mlp.py:MLP", "torch.relu", "torch.tanh", "relu", "torch.tanh", training=False),
    Change("mlp_dropout.py:MLP", "nn.Dropout(0.1)", "nn.Dropout(0.25)", "dropout", constant=0.25),
    Change("mlp_dropout.py:MLP", "self.dropout(", "(", "dropout"),
    Change("breaky.py:Breaky", "torch.relu", "nn.functional.gelu", "relu", f"{_F}gelu"),
    Change("conv_bn_relu.py:Net", "torch.relu", "torch.tanh", "relu", "torch.tanh"),
    Change("conv_bn_relu.py:Net", "torch.relu", "nn.functional.silu", "relu", f"{_F}silu", training=False),
    Change("layer_loop.py:Stack", "functional.silu", "functional.gelu", "silu", f"{_F}gelu"),
    Change("lost_branch.py:Branch", "torch.relu", "torch.sigmoid", "relu", "torch.sigmoid"),
    Change("print_in_the_middle.py:forward", "torch.sin", "torch.exp", "sin", "torch.exp"),
    Change("print_in_the_middle.py:forward", "y + 1", "y + 3", "add", constant=3),
    Change("recompiling.py:Changing", "torch.relu", "torch.tanh", "relu", "torch.tanh"),
    Change("training_step.py:Step", "nn.ReLU()", "nn.Tanh()", "relu", "torch.tanh"),
    Change("transformer_layer.py:EncoderLayer", "F.gelu", "F.silu", "gelu", f"{_F}silu"),
    Change("transformer_layer.py:EncoderLayer", "size**0.5", "3.5", "truediv", constant=3.5),
    Change("six_breaks.py:SixBreaks", "torch.tanh", "torch.sigmoid", "tanh", "torch.sigmoid"),
    Change("trace_forgets.py:Net", "F.gelu", "F.silu", "gelu", f"{_F}silu"),
    Change("trace_forgets.py:Net", "torch.relu", "torch.tanh", "relu", "torch.tanh"),
)
_OTHERS = (
    Change("programs.py:Attention", "/ 4.0", "/ 5.0", "truediv", constant=5.0, folder=_HERE),
    Change("programs.py:Gated", "torch.sigmoid", "torch.cos", "sigmoid", "torch.cos", folder=_HERE),
    Change("programs.py:Recurrent", "torch.tanh", "torch.sigmoid", "tanh", "torch.sigmoid", folder=_HERE),
    Change("programs.py:Convolved", "F.leaky_relu", "F.gelu", "leaky_relu", f"{_F}gelu", folder=_HERE),
    Change("programs.py:Buffered", "F.softplus", "F.silu", "softplus", f"{_F}silu", folder=_HERE),
    Change("programs.py:Tied", "F.relu6", "F.gelu", "relu6", f"{_F}gelu", folder=_HERE),
    Change("programs.py:Outputs", "F.hardswish", "F.gelu", "hardswish", f"{_F}gelu", folder=_HERE),
    Change(
        "programs.py:Dropped", "F.dropout(self.linear(x), 0.2, self.training)", "self.linear(x)", "dropout", folder=_HERE
    ),
    Change("programs.py:Lowered", "F.elu", "F.silu", "elu", f"{_F}silu", folder=_HERE),
    Change("programs.py:Viewed", "torch.atan", "torch.sin", "atan", "torch.sin", folder=_HERE),
)  # fmt: skip
_IDENTITIES = tuple(
    dict.fromkeys((change.target, change.folder, change.training) for change in (*_FAST, *_SLOW, *_OTHERS))
)


def _captured(folder: Path, target: str, training: bool) -> LiveCapture:
    run = RunOptions(training=training, gradients=training)
    return make_capture(CaptureSpec(TargetSpec(target, str(folder)), run=run), "capture-1", lambda text: None)


def wrapper_texts(live: LiveCapture) -> Texts:
    """Every wrapper, by its graph and part."""
    return {
        (dynamo_graph.record.compile_id, inductor_graph.part): inductor_graph.wrapper_text
        for dynamo_graph in live.live.dynamo_graphs
        for inductor_graph in dynamo_graph.record.inductor_graphs
    }


def _calls(graph: Graph) -> list[Node]:
    return [node for node in graph.nodes if node.op in ("call_function", "call_method")]


def _hold(change: Change, folder: Path) -> None:
    file = change.target.partition(":")[0]
    text = (change.folder / file).read_text()
    assert change.old in text
    (folder / file).write_text(text.replace(change.old, change.new))
    wanted = wrapper_texts(_captured(folder, change.target, change.training))
    program = EditedProgram(_captured(change.folder, change.target, change.training))
    before = wrapper_texts(program.base)
    edits = tuple(change.edits(program))
    assert edits
    program.recompile(edits, "capture-2", lambda text: None)
    found = wrapper_texts(program.base)
    assert found != before
    assert found.keys() == wanted.keys()
    for name, reported in wanted.items():
        assert _SOURCES.sub("", found[name]) == _SOURCES.sub("", reported), name


@pytest.mark.parametrize("change", some(_FAST), ids=str)
def test_an_edited_graph_becomes_what_the_edited_source_becomes(change: Change, tmp_path: Path) -> None:
    _hold(change, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("change", [*_SLOW, *_OTHERS], ids=str)
def test_so_do_all_examples_and_others(change: Change, tmp_path: Path) -> None:
    _hold(change, tmp_path)


def _stages(dynamo_graph: LiveDynamoGraph) -> Iterator[str]:
    name = dynamo_graph.record.compile_id
    yield f"{name}:dynamo"
    yield from (f"{name}:{what}" for what in ("pre_grad", "joint") if what in dynamo_graph.sources)
    for inductor_graph in dynamo_graph.inductor_graphs:
        yield from (
            f"{name}:{inductor_graph.part}:{what}"
            for what in ("aot", "post_grad")
            if what in inductor_graph.sources
        )


def _hold_identities(folder: Path, target: str, training: bool) -> None:
    program = EditedProgram(_captured(folder, target, training))
    before = wrapper_texts(program.base)
    for dynamo_graph in program.base.live.dynamo_graphs:
        for stage in _stages(dynamo_graph):
            node = next(iter(_calls(program.base_graph(stage, ()))), None)
            if node is None:
                continue
            same = ReplaceTarget(stage, node.id, node.op, node.target, node.args, node.kwargs)
            program.recompile((same,), "capture-2", lambda text: None)
            found = wrapper_texts(program.base)
            assert found.keys() == before.keys(), stage
            for name, reported in before.items():
                assert found[name] == reported, (stage, name)


@pytest.mark.thorough
def test_an_edit_that_changes_nothing_changes_no_text() -> None:
    _hold_identities(EXAMPLES, "mlp_dropout.py:MLP", True)


_MASKED = """import torch


def masked(x, p):
    torch._dynamo.graph_break()
    return x * x.new(x.size(0), 1).bernoulli_(1 - p).div_(1 - p)


def both(x):
    return masked(masked(x, 0.25), 0.5)


def example_inputs():
    return (torch.randn(2, 4),)
"""


@pytest.mark.thorough
def test_nor_where_a_float_that_may_change_is_an_input(tmp_path: Path) -> None:
    """Dynamo passes it as a tensor, and torch rewrites only a part of the arithmetic on it (fastai's dropout)."""
    (tmp_path / "masked.py").write_text(_MASKED)
    with nothing_built():
        _hold_identities(tmp_path, "masked.py:both", True)


_WRITTEN = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, x):
        out = torch.zeros(3, 4)
        torch._dynamo.graph_break()
        out[:, :2] = self.linear(x)
        return torch.relu(out) + out.detach()


def example_inputs():
    return (torch.randn(3, 4),)
"""


@pytest.mark.thorough
def test_nor_where_a_graph_writes_what_wants_a_gradient_on_an_input_that_wants_none(tmp_path: Path) -> None:
    """Dynamo's own fake of the input wants one from then on: the backward gave the program's tensor one (neuraloperator's FNO)."""
    (tmp_path / "written.py").write_text(_WRITTEN)
    with nothing_built():
        _hold_identities(tmp_path, "written.py:Net", True)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "folder", "training"), _IDENTITIES)
def test_nor_does_it_in_any_other(target: str, folder: Path, training: bool) -> None:
    _hold_identities(folder, target, training)


_MOVED = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        self.first.to("cpu")
        return self.second(torch.relu(self.first(x)))


def example_inputs():
    return (torch.randn(3, 4),)
"""


@pytest.mark.thorough
def test_nor_where_a_graph_gives_a_parameter_other_data(tmp_path: Path) -> None:
    """Torch keeps a copy of the parameter's fake that wants no gradient: the edited graph had no gradients of moved modules
    (soft-moe-pytorch, which moves its experts).
    """
    (tmp_path / "moved.py").write_text(_MOVED)
    with nothing_built():
        _hold_identities(tmp_path, "moved.py:Net", True)
