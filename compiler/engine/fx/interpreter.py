"""An FX graph run op by op, in its own dtypes or in float64."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.fx
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree

from compiler.engine.equal_tensors import same_numbers
from compiler.engine.fx.inductor_rng import as_kernels_do
from compiler.engine.laid_out import ordered_like
from compiler.engine.wide_values import wide_dtype, wide_value


class _Interpreter(torch.fx.Interpreter):
    """Runs a graph with the random numbers that Inductor's kernels draw. A nested region is run as what it is, a call of its
    body: torch's operator for it gives gradients only while it is compiled.
    """

    def run_node(self, n: torch.fx.Node) -> Any:
        if n.target is torch.ops.higher_order.invoke_subgraph:
            (body, _, *inputs), _ = self.fetch_args_kwargs_from_env(n)
            return type(self)(body).run(*inputs)
        function = as_kernels_do(n)
        if function is not None:
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return function(*args, **kwargs)
        result = super().run_node(n) if n.target is not torch.ops.aten.view.default else self._seen_as(n)
        if result is None and n.users and _name_of(n.target).startswith("_foreach_"):
            return self.fetch_args_kwargs_from_env(n)[0][
                0
            ]  # Inductor writes to its inputs where results were asked for
        return result

    def _seen_as(self, n: torch.fx.Node) -> Any:
        """A view; of a tensor that lies otherwise than it did in the graph (a convolution chooses) a copy, as nothing writes to it."""
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        value, *_ = args
        try:
            return n.target(*args, **kwargs)  # type: ignore[operator]
        except RuntimeError:
            if not isinstance(value, torch.Tensor) or value.is_contiguous():
                raise
            return n.target(value.contiguous(), *args[1:], **kwargs)  # type: ignore[operator]


class _WideInterpreter(_Interpreter):
    """Runs a graph in float64: every floating result is widened, complex ones too, so that casts to narrower dtypes do nothing."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.held: dict[Any, tuple[Any, Any]] = {}
        """What the graph holds by name, and wide copies of it, where somebody asks for them; else they are let go of when nothing reads
        them.
        """

    def hold(self) -> None:
        """Make the copies, before any mode is entered that would see that."""
        for node in self.graph.nodes:
            if node.op == "get_attr" and node.target not in self.held:
                own = self.fetch_attr(node.target)
                self.held[node.target] = own, pytree.tree_map(wide_value, own)

    def run_node(self, n: torch.fx.Node) -> Any:
        dtype = _reads_as(n)
        if dtype is None:
            if n.op == "get_attr" and n.target in self.held:
                return self.held[n.target][1]
            return pytree.tree_map(wide_value, self._called(n))
        value, *_ = self.fetch_args_kwargs_from_env(n)[0]
        return wide_value(_read_as(value, _narrow_dtype(n.args[0]), dtype))

    def _called(self, n: torch.fx.Node) -> Any:
        if _name_of(n.target) in _TAKES_ANYTHING and (narrower := self._narrower(n)):
            return self._in_own_dtypes(n, narrower)
        try:
            return super().run_node(n)
        except torch.OutOfMemoryError:
            raise  # torch has it: for want of memory nothing is rounded
        except Exception:  # torch raises RuntimeError for want of a dtype, a library what it likes
            narrower = self._narrower(n)
            if not narrower or not callable(n.target):
                raise
            return self._in_own_dtypes(n, narrower)

    def _narrower(self, n: torch.fx.Node) -> dict[torch.fx.Node, torch.dtype]:
        """The inputs that have another dtype in the graph's own run, with it."""
        return {
            node: dtype
            for node in n.all_input_nodes
            if isinstance(value := self.env[node], torch.Tensor)
            and (dtype := _narrow_dtype(node)) is not None
            and dtype is not value.dtype
        }

    def _in_own_dtypes(self, n: torch.fx.Node, narrower: dict[torch.fx.Node, torch.dtype]) -> Any:
        """A call of what torch has for other dtypes only (attention fused for a GPU, a library's kernel), from inputs rounded to what
        they are in the graph's own run. What it writes to these (a Triton kernel of the program's own) is written to the wide ones.
        """
        own = {node: self.env[node].to(dtype) for node, dtype in narrower.items()}
        before = {node: value.clone() for node, value in own.items()} if _may_write(n.target) else {}
        args, kwargs = map_arg((n.args, n.kwargs), lambda node: own.get(node, self.env[node]))
        result = n.target(*args, **kwargs)  # type: ignore[operator]
        for node, value in before.items():
            if not same_numbers(own[node], value):
                self.env[node].copy_(own[node])
        if (
            result is not None or before
        ):  # torch.export's assertions on dtypes give nothing that could be rounded
            for names in _NOTING:
                names.add(_name_of(n.target))
        return next((self.env[node] for node, value in own.items() if value is result), result)


def _may_write(target: Any) -> bool:
    """Whether a call may write to what it is given; of operators of higher order there is no schema that says."""
    schema = getattr(target, "_schema", None)
    return schema is None or bool(schema.is_mutable)


def _name_of(target: Any) -> str:
    return str(getattr(getattr(target, "overloadpacket", target), "__name__", target))


_TAKES_ANYTHING = frozenset(
    {"_scaled_dot_product_cudnn_attention", "_scaled_dot_product_cudnn_attention_backward", "_cudnn_attention_forward", "_cudnn_attention_backward"}
)  # fmt: skip
"""They look at no dtype: cuDNN reads any other than bfloat16 as float16, and gives what that makes of the bits."""

_NOTING: list[set[str]] = []


@contextlib.contextmanager
def noting_own_dtypes() -> Iterator[set[str]]:
    """The names of operators that float64 runs meanwhile run in the graph's own dtypes; on whatever thread."""
    names: set[str] = set()
    _NOTING.append(names)
    try:
        yield names
    finally:
        _NOTING.remove(names)


def _reads_as(n: torch.fx.Node) -> torch.dtype | None:
    """The dtype as which a node reads the memory of its input: torch adds complex numbers as twice as many real ones."""
    is_view = n.target is torch.ops.aten.view.dtype or (n.op, n.target) == ("call_method", "view")
    rows = (*n.args[1:2], *n.kwargs.values()) if is_view else ()
    return next((row for row in rows if isinstance(row, torch.dtype)), None)


def _narrow_dtype(node: Any) -> torch.dtype | None:
    """The dtype of a node's value in the graph's own run, as far as it is known."""
    value = node.meta.get("val", node.meta.get("example_value")) if isinstance(node, torch.fx.Node) else None
    return value.dtype if isinstance(value, torch.Tensor) else None


def _read_as(value: torch.Tensor, narrow: torch.dtype | None, dtype: torch.dtype) -> torch.Tensor:
    """Numbers stay wide where they are read as numbers of the same width or as their two parts; of all else the bits are those
    of the graph's own run.
    """
    wide = wide_dtype(dtype)
    same_width = narrow is None or narrow.to_real() == dtype.to_real()
    if wide is not None and wide_dtype(value.dtype) is not None and same_width:
        return value.view(wide)
    return value.to(narrow or value.dtype).view(dtype)


def interpreter_of(module: torch.fx.GraphModule, wide: bool) -> torch.fx.Interpreter:
    """What runs a graph; inputs and the state of modules that it calls are the caller's to widen."""
    return _WideInterpreter(module) if wide else _Interpreter(module)


def run_with_effects(
    module: torch.fx.GraphModule,
    args: Sequence[Any],
    wide: bool,
    within: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
) -> Any:
    """Run a graph; what it writes to its inputs and to what it holds (an optimizer's parameters) is written to these in float64, too.
    `within` is entered around its operations alone: copies that noise moved would be taken for written to.
    """
    interpreter = interpreter_of(module, wide)
    held: dict[Any, tuple[Any, Any]] = {}
    if isinstance(interpreter, _WideInterpreter):
        interpreter.hold()
        held = interpreter.held
    values = _as_traced(module, [wide_value(value) for value in args] if wide else list(args))
    with within():
        outputs = interpreter.run(*values)
    with torch.no_grad():
        for own, value in (*zip(args, values, strict=True), *held.values()):
            if (
                value is not own
                and isinstance(value, torch.Tensor)
                and not same_numbers(value, wide_value(own))
            ):
                own.copy_(value)  # not asked of the version: batch_norm does not count what it writes
    return outputs


def run_seen(
    module: torch.fx.GraphModule,
    inputs: list[Any],
    wide: bool,
    see: Callable[[torch.fx.Node, torch.Tensor], None],
) -> None:
    """Run an Inductor graph op by op on copies of its inputs, and show each tensor that a node gives, in order; it is let
    go of when nothing reads it any more.
    """
    interpreter = interpreter_of(module, wide)
    run_node = interpreter.run_node

    def seen(node: torch.fx.Node) -> Any:
        result = run_node(node)
        if isinstance(result, torch.Tensor):
            see(node, result)
        return result

    interpreter.__dict__["run_node"] = seen
    given = [value.clone() if isinstance(value, torch.Tensor) else value for value in inputs]
    with torch.no_grad():
        interpreter.run(*_as_traced(module, [wide_value(value) for value in given] if wide else given))


def _as_traced(module: torch.fx.GraphModule, values: list[Any]) -> list[Any]:
    """A graph's inputs in memory as they lay when it was traced. What a compiled forward saved lies as its kernels like it; compiled
    code brings it into order for the operators that it calls, and some of those look at no strides: the backward of attention fused
    for a CPU takes the last dimension for dense and gives wrong numbers else.
    """
    traced = [node.meta.get("val") for node in module.graph.nodes if node.op == "placeholder"]
    if len(traced) != len(values):
        return values
    return [
        ordered_like(value, like)
        if isinstance(value, torch.Tensor) and isinstance(like, torch.Tensor)
        else value
        for value, like in zip(values, traced, strict=True)
    ]


class _Run(torch.nn.Module):
    """What `functional_call` can give other parameters to."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__()
        self.module = module

    def forward(self, *inputs: Any) -> Any:
        return interpreter_of(self.module, wide=True).run(*inputs)


def interpreted(module: torch.fx.GraphModule, wide: bool) -> Callable[..., Any]:
    """A graph with the state it holds, run op by op; it takes the graph's inputs in order. In float64 the state is widened
    too, so that gradients reach the parameters as they are.
    """
    if not wide:
        return interpreter_of(module, wide=False).run

    def run(*inputs: Any) -> Any:
        runner = _Run(module)
        own = {**dict(runner.named_parameters()), **dict(runner.named_buffers())}
        state = {
            name: wide_value(value) if wide_dtype(value.dtype) is not None else value.clone()
            for name, value in own.items()
        }
        return torch.func.functional_call(runner, state, pytree.tree_map(wide_value, inputs))

    return run
