"""Reader: TorchScript's IR as a text that stands alone, and a text made a function again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from compiler.engine.torch_internals.torchscript.script_passes import inlined

GIVES = "TorchScript's IR edited as text"
NEEDS = ("torch._C:parse_ir", "torch._C:_create_function_from_graph", "torch._C:_freeze_module")

_SCOPE = re.compile(r", scope: \S+(?= #|$)", re.MULTILINE)


def standing_alone(scripted: Any) -> tuple[str, list[torch.Tensor]]:
    """The IR without a module: calls inlined, weights as inputs after the program's own. Gives them too.

    The module must be in eval mode. Raises RuntimeError where it holds what is neither tensor nor plain value.
    """
    module = getattr(scripted, "_c", None)
    if module is None or not isinstance(scripted, torch.jit.ScriptModule):
        graph = inlined(scripted.graph)
        weights = _lift_constants(graph, [])
    else:
        frozen = torch._C._freeze_module(module, [], True, True)
        graph = inlined(frozen._get_method("forward").graph)
        weights = _lift_constants(
            graph, _lift_attributes(graph, torch.jit._recursive.wrap_cpp_module(frozen))
        )
        torch._C._jit_pass_dce(graph)
        first = next(iter(graph.inputs()), None)
        if first is not None and str(first.type().kind()) == "ClassType":
            if first.uses():
                raise RuntimeError("the graph keeps an object that is no tensor")
            graph.eraseInput(0)
    return _SCOPE.sub("", str(graph).rstrip("\n")), weights


def _lift_attributes(graph: Any, module: Any) -> list[torch.Tensor]:
    """Tensors among the attributes become inputs, None becomes a constant."""
    weights: list[torch.Tensor] = []
    paths: dict[str, str] = {}
    known: dict[str, Any] = {}
    for node in list(graph.findAllNodes("prim::GetAttr", recurse=True)):
        owner = paths.get(node.inputsAt(0).debugName(), "")
        path = f"{owner}.{node.s('name')}" if owner else node.s("name")
        paths[node.output().debugName()] = path
        value = module
        for name in path.split("."):
            value = getattr(value, name)
        if isinstance(value, torch.Tensor):
            if path not in known:
                known[path] = _input(graph, path, value)
                weights.append(value.detach())
            node.output().replaceAllUsesWith(known[path])
        elif value is None:
            graph.setInsertPoint(node)
            node.output().replaceAllUsesWith(graph.insertConstant(None))
    return weights


def _lift_constants(graph: Any, weights: list[torch.Tensor]) -> list[torch.Tensor]:
    """Tensors that stand in the graph become inputs after the others: the text of one does not hold its numbers."""
    for number, node in enumerate(list(graph.findAllNodes("prim::Constant", recurse=True))):
        if node.hasAttribute("value") and node.kindOf("value") == "t":
            value = node.t("value")
            node.output().replaceAllUsesWith(_input(graph, f"constant{number}", value))
            weights.append(value)
            node.destroy()
    return weights


def _input(graph: Any, path: str, value: torch.Tensor) -> Any:
    made = graph.addInput()
    made.setDebugName(f"w.{path}")
    made.setType(torch._C.TensorType.get())
    return made


def function_of(text: str) -> tuple[Callable[..., Any], Any]:
    """A text as a function, with torch's graph of it. Raises RuntimeError with torch's words."""
    graph = torch._C.parse_ir(text, True)
    graph.lint()
    function: Callable[..., Any] = torch._C._create_function_from_graph("edited", graph.copy())
    return function, graph


def save_lite(scripted: Any, path: Path) -> None:
    """Write the file of the mobile lite interpreter. Raises AttributeError where this torch makes none."""
    scripted._save_for_lite_interpreter(str(path))
