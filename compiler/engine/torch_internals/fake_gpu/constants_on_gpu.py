"""Constants that a program makes on the GPU (``torch.tensor(…, device="cuda")``, ``x[..., [0, 2]]``) lie on the GPU that is not here.

A machine with a GPU makes such a constant there while it traces. Without one torch makes it on the CPU and traces a copy to the GPU,
which the machine with the GPU never does: another graph, other kernels, and a copy in each step.

GIVES: traced graphs as a machine with the GPU traces them.
NEEDS: ``_create_graph`` of AOTAutograd, and that a constant and its copy come from one call of Dynamo's graph. Held against
recordings of real GPUs.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import _disable_current_modes

GIVES = "constants on a GPU that is not here"
NEEDS = (
    "torch._functorch._aot_autograd.graph_capture:_create_graph",
    "torch.fx.passes.fake_tensor_prop:FakeTensorProp",
)
_COPIES = (torch.ops.prims.device_put.default, torch.ops.aten._to_copy.default)
_LIFTED = (torch.ops.aten.lift_fresh_copy.default, torch.ops.aten.lift_fresh.default)


class _OnGpu(torch.Tensor):
    """Lies in host memory, where it is read, and says that it is on the GPU."""

    device: ClassVar[torch.device] = torch.device("cuda", 0)  # type: ignore[misc]
    host: torch.Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Fakes work with a fake of it, everything else with what it holds."""
        mode = torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE)

        def seen(value: Any) -> Any:
            if type(value) is not _OnGpu:
                return value
            return value.host if mode is None else fake_of(value, mode)

        args, kwargs = pytree.tree_map(seen, (args, kwargs or {}))
        return func(*args, **kwargs)

    def item(self) -> Any:
        """Of one element."""
        return self.host.item()

    def tolist(self) -> Any:
        """Its numbers, which Inductor writes into kernels where they are few."""
        return self.host.tolist()

    def __deepcopy__(self, memo: dict[int, Any]) -> "_OnGpu":
        """A graph module that is copied may share it: nothing writes to a constant."""
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """What it is in a key of a cache."""
        return on_gpu, (self.host,)


def on_gpu(value: torch.Tensor) -> torch.Tensor:
    """The same constant, on the GPU."""
    with _disable_current_modes():
        made = torch.Tensor._make_subclass(_OnGpu, value.detach())
    assert isinstance(made, _OnGpu)
    made.host = value
    return made


def fake_of(value: torch.Tensor, mode: Any) -> torch.Tensor:
    """As `FakeTensorMode.from_tensor`."""
    from torch._subclasses.fake_tensor import FakeTensor, in_kernel_invocation_manager

    assert isinstance(value, _OnGpu)
    with in_kernel_invocation_manager(mode):
        meta = torch.empty_strided(
            value.host.shape, value.host.stride(), dtype=value.host.dtype, device="meta"
        )
    return FakeTensor(mode, meta, _OnGpu.device)


def install() -> None:
    """Of every graph that is traced from here on. For good."""
    from torch._functorch._aot_autograd import graph_capture, graph_compile
    from torch.fx.passes import fake_tensor_prop

    original: Callable[..., torch.fx.GraphModule] = graph_capture._create_graph
    prop: Any = fake_tensor_prop.FakeTensorProp
    fetched = prop.get_attr

    def create(*args: Any, **kwargs: Any) -> torch.fx.GraphModule:
        traced = original(*args, **kwargs)
        for module in traced.modules():
            if isinstance(module, torch.fx.GraphModule):
                place(module)
        return traced

    def get_attr(interpreter: Any, *args: Any, **kwargs: Any) -> Any:
        value = fetched(interpreter, *args, **kwargs)
        return fake_of(value, interpreter._mode) if type(value) is _OnGpu else value

    prop.get_attr = get_attr
    graph_capture._create_graph = create
    if getattr(graph_compile, "_create_graph", None) is original:
        graph_compile._create_graph = create


def place(traced: torch.fx.GraphModule) -> None:
    """Take the copies out that follow constants within the call that made them."""
    changed = False
    for copy in list(traced.graph.nodes):
        constant = _copied_constant(copy)
        if constant is None:
            continue
        lifted = copy.args[0]
        value = getattr(traced, constant.target)
        setattr(traced, constant.target, on_gpu(value))
        copy.replace_all_uses_with(lifted, propagate_meta=False)
        traced.graph.erase_node(copy)
        for node in (constant, lifted):
            for key in ("val", "tensor_meta"):
                if key in copy.meta:
                    node.meta[key] = copy.meta[key]
        changed = True
    if changed:
        traced.recompile()


def _copied_constant(copy: torch.fx.Node) -> torch.fx.Node | None:
    """The constant that `copy` brings to the GPU, if one call made and brought it."""
    if copy.op != "call_function" or copy.target not in _COPIES or not copy.args:
        return None
    lifted = copy.args[0]
    if not isinstance(lifted, torch.fx.Node) or lifted.target not in _LIFTED or len(lifted.users) > 1:
        return None
    constant = lifted.args[0]
    if not isinstance(constant, torch.fx.Node) or constant.op != "get_attr" or len(constant.users) > 1:
        return None
    here, there = lifted.meta.get("val"), copy.meta.get("val")
    if not isinstance(here, torch.Tensor) or not isinstance(there, torch.Tensor):
        return None
    moved = here.device.type == "cpu" and there.device.type == "cuda" and here.dtype == there.dtype
    return constant if moved and _call_of(lifted) == _call_of(copy) != "" else None


def _call_of(node: torch.fx.Node) -> str:
    """Dynamo's name of the call that a node comes from; empty where it is not known."""
    stack = node.meta.get("source_fn_stack")
    return str(stack[-1][0]) if stack else ""
