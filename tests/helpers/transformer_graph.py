"""Joint graphs of a transformer encoder of any depth, shaped like the ones AOTAutograd traces, made without torch.

About 139 nodes a layer, forward and backward: the sizes at which canvases are compared.
"""

from dataclasses import dataclass, field

from compiler.model.ir.arguments import MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.stage import JointStage, Partition, SavedTensor, Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue

NODES_A_LAYER = 139
_WIDTH, _ROWS = 64, 32
_BYTES = _WIDTH * _ROWS * 4


@dataclass
class _Layer:
    """What the backward of one layer needs of its forward."""

    module: str
    linears: "list[_Linear]" = field(default_factory=list)
    norms: "list[_Norm]" = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)


@dataclass
class _Linear:
    module: str
    rows: str
    weight: str


@dataclass
class _Norm:
    module: str
    x: str
    mean: str
    rstd: str
    weight: str
    bias: str


class _Tracer:
    """Writes nodes in the order in which they run."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.saved: dict[str, None] = {}
        self._lanes: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self.lane = "forward"

    def call(self, operation: str, module: str, *inputs: str, line: int = 1) -> str:
        """One aten call."""
        return self._add("call_function", f"aten.{operation}.default", operation, module, inputs, "", line)

    def item(self, source: str, module: str) -> str:
        """One result of several."""
        return self._add("call_function", "_operator.getitem", "getitem", module, (source,), "", 1)

    def holder(self, name: str, module: str, role: str) -> str:
        """A placeholder."""
        return self._add("placeholder", name, name, module, (), role, 1)

    def output(self, results: list[str]) -> None:
        """What the graph returns."""
        self._add("output", "output", "output", "", tuple(results), "", 1)

    def _add(
        self, op: str, target: str, name: str, module: str, inputs: tuple[str, ...], role: str, line: int
    ) -> str:
        count = self._counts.get(name, 0)
        self._counts[name] = count + 1
        made = f"{name}_{count}" if count else name
        self._lanes[made] = self.lane
        if self.lane == "backward" and op != "output":
            self.saved.update({used: None for used in inputs if self._lanes[used] == "forward"})
        value = TensorValue((str(_ROWS), str(_WIDTH)), "float32", bytes=_BYTES)
        stack = (SourceLine("/model.py", line, "forward"),) if op == "call_function" else ()
        arguments = SequenceArgument("tuple", tuple(NodeArgument(used) for used in inputs))
        self.nodes.append(
            Node(made, op, target, arguments, MappingArgument(()), value, module, "", stack, self.lane, role)
        )
        return made


def joint_graph(nodes: int) -> Graph:
    """A joint graph of about so many nodes (one layer at least)."""
    return _traced(nodes)[0]


def joint_stage(nodes: int) -> Stage:
    """The same as a stage, with its partition."""
    graph, saved = _traced(nodes)
    tensors = tuple(SavedTensor(name, _BYTES) for name in saved)
    content = JointStage(graph, Partition(tensors, ()))
    return Stage("0/0:joint", StageKind.JOINT_GRAPH, "Joint graph", content, "0/0")


def _traced(nodes: int) -> tuple[Graph, tuple[str, ...]]:
    tracer = _Tracer()
    x = tracer.holder("x", "", "input")
    layers = []
    for number in range(max(1, round(nodes / NODES_A_LAYER))):
        layer = _Layer(f"encoder.layers.{number}")
        x = _forward(tracer, layer, x)
        layers.append(layer)
    tracer.lane = "backward"
    gradient = tracer.holder("tangents", "", "tangent")
    results = [x]
    for layer in reversed(layers):
        gradient = _backward(tracer, layer, gradient, results)
    tracer.output([*results, gradient])
    return Graph(tuple(tracer.nodes)), tuple(tracer.saved)


def _forward(tracer: _Tracer, layer: _Layer, x: str) -> str:
    attention = f"{layer.module}.self_attn"
    kept, residual = layer.kept, x
    heads = []
    packed = _linear(tracer, layer, x, attention, 10)
    for operation in ("unsqueeze", "transpose", "squeeze", "clone"):
        packed = tracer.call(operation, attention, packed, line=11)
    for _ in range(3):
        head = packed
        for operation in ("select", "view", "transpose", "mul"):
            head = tracer.call(operation, attention, head, line=12)
        heads.append(head)
    kept["q"], kept["k"], kept["v"] = heads
    kept["kt"] = tracer.call("transpose", attention, heads[1], line=13)
    scores = tracer.call("bmm", attention, heads[0], kept["kt"], line=13)
    kept["softmax"] = tracer.call("_softmax", attention, scores, line=14)
    mixed = tracer.call("bmm", attention, kept["softmax"], heads[2], line=15)
    for operation in ("permute", "clone"):
        mixed = tracer.call(operation, attention, mixed, line=15)
    mixed = _linear(tracer, layer, mixed, f"{attention}.out_proj", 16)
    dropout = tracer.call("native_dropout", f"{layer.module}.dropout1", mixed, line=17)
    mixed = tracer.item(dropout, f"{layer.module}.dropout1")
    kept["mask"] = tracer.item(dropout, f"{layer.module}.dropout1")
    x = tracer.call("add", layer.module, residual, mixed, line=18)
    x = residual = _norm(tracer, layer, x, f"{layer.module}.norm1")
    x = kept["relu"] = tracer.call(
        "relu", layer.module, _linear(tracer, layer, x, f"{layer.module}.linear1", 20), line=20
    )
    x = _linear(tracer, layer, x, f"{layer.module}.linear2", 21)
    x = tracer.call("add", layer.module, residual, x, line=22)
    return _norm(tracer, layer, x, f"{layer.module}.norm2")


def _linear(tracer: _Tracer, layer: _Layer, x: str, module: str, line: int) -> str:
    weight = tracer.holder("primals", module, "parameter")
    bias = tracer.holder("primals", module, "parameter")
    rows = tracer.call("view", module, x, line=line)
    turned = tracer.call("t", module, weight, line=line)
    result = tracer.call("addmm", module, bias, rows, turned, line=line)
    layer.linears.append(_Linear(module, rows, turned))
    return tracer.call("view", module, result, line=line)


def _norm(tracer: _Tracer, layer: _Layer, x: str, module: str) -> str:
    weight = tracer.holder("primals", module, "parameter")
    bias = tracer.holder("primals", module, "parameter")
    whole = tracer.call("native_layer_norm", module, x, weight, bias, line=19)
    out, mean, rstd = (tracer.item(whole, module) for _ in range(3))
    layer.norms.append(_Norm(module, x, mean, rstd, weight, bias))
    return out


def _backward(tracer: _Tracer, layer: _Layer, gradient: str, results: list[str]) -> str:
    attention, kept = f"{layer.module}.self_attn", layer.kept
    packed, out, first, second = layer.linears
    residual = gradient = _norm_back(tracer, layer.norms[1], gradient, results)
    gradient = _linear_back(tracer, second, gradient, results)
    gradient = tracer.call("threshold_backward", layer.module, gradient, kept["relu"], line=20)
    gradient = _linear_back(tracer, first, gradient, results)
    gradient = tracer.call("add", layer.module, gradient, residual, line=18)
    residual = gradient = _norm_back(tracer, layer.norms[0], gradient, results)
    gradient = tracer.call(
        "native_dropout_backward", f"{layer.module}.dropout1", gradient, kept["mask"], line=17
    )
    gradient = _linear_back(tracer, out, gradient, results)
    gradient = tracer.call("permute", attention, gradient, line=15)
    turned = tracer.call("transpose", attention, kept["softmax"], line=15)
    values = tracer.call("transpose", attention, kept["v"], line=15)
    for_values = tracer.call("bmm", attention, turned, gradient, line=15)
    scores = tracer.call("bmm", attention, gradient, values, line=15)
    scores = tracer.call("_softmax_backward_data", attention, scores, kept["softmax"], line=14)
    keys = tracer.call("transpose", attention, kept["kt"], line=13)
    for_queries = tracer.call("bmm", attention, scores, keys, line=13)
    queries = tracer.call("transpose", attention, kept["q"], line=13)
    for_keys = tracer.call("bmm", attention, queries, scores, line=13)
    parts = []
    for part in (for_queries, for_keys, for_values):
        for operation in ("mul", "transpose", "view", "select_backward"):
            part = tracer.call(operation, attention, part, line=12)
        parts.append(part)
    summed = tracer.call("add", attention, parts[0], parts[1], line=12)
    summed = tracer.call("add", attention, summed, parts[2], line=12)
    for operation in ("clone", "squeeze"):
        summed = tracer.call(operation, attention, summed, line=11)
    gradient = _linear_back(tracer, packed, summed, results)
    return tracer.call("add", layer.module, gradient, residual, line=18)


def _linear_back(tracer: _Tracer, linear: _Linear, gradient: str, results: list[str]) -> str:
    weight = tracer.call("t", linear.module, linear.weight)
    rows = tracer.call("view", linear.module, gradient)
    into = tracer.call("mm", linear.module, rows, weight)
    turned = tracer.call("t", linear.module, linear.rows)
    for_weight = tracer.call("mm", linear.module, turned, rows)
    for_weight = tracer.call("t", linear.module, for_weight)
    for_bias = tracer.call("sum", linear.module, rows)
    results += [for_weight, tracer.call("view", linear.module, for_bias)]
    return tracer.call("view", linear.module, into)


def _norm_back(tracer: _Tracer, norm: _Norm, gradient: str, results: list[str]) -> str:
    whole = tracer.call(
        "native_layer_norm_backward",
        norm.module,
        gradient,
        norm.x,
        norm.mean,
        norm.rstd,
        norm.weight,
        norm.bias,
    )
    into, for_weight, for_bias = (tracer.item(whole, norm.module) for _ in range(3))
    results += [for_weight, for_bias]
    return into
