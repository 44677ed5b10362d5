"""By what a graph is known to be one that Inductor compiled before: torch's own key of its cache, and what else its code shows.

The key holds the graph as it prints, its inputs, Inductor's settings, its source files and torch's global switches. It is made when
a graph is compiled, of the settings of that moment.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import torch
import torch._guards
import torch.fx

from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.patch.patching import around, find, found, is_there
from compiler.model.ir.graph import Graph

GIVES = "graphs that were compiled before known again in a recompile"
NEEDS = (
    "torch._inductor.codecache:FxGraphCache._check_can_cache",
    "torch._inductor.codecache:compiled_fx_graph_hash",
    "torch._inductor.codecache:BypassFxGraphCache",
    "torch._inductor.compile_fx:get_input_idxs_to_check",
    "torch._inductor.output_code:set_tracing_context_output_strides",
)
_EXPLAINS = "torch._inductor.codecache:FxGraphCachePickler.debug_lines"
"""For its log torch writes every part of a graph down once more, which takes as long as the key itself."""
GraphKey = tuple[object, ...]
_MADE_BY = "original_aten"
"""In a node's metadata: the operator that it was decomposed from."""


def graph_key(
    module: torch.fx.GraphModule, inputs: Sequence[Any], options: Mapping[str, Any]
) -> GraphKey | None:
    """None where torch would not take a result from its cache, and where that could need more than the graph: symbolic sizes,
    tensors of its own, graphs inside it, CUDA graphs.
    """
    if not all(map(is_there, NEEDS)) or not _is_plain(module, inputs, options):
        return None
    given = {"static_input_idxs": (), **options}
    cache, name = find(NEEDS[0])
    try:
        check = getattr(cache, name)
        asked = len(inspect.signature(check).parameters)  # torch 2.11 asks about the graph alone
        check(*(module, inputs, given)[:asked])
        to_check = found(NEEDS[3])(inputs, given["static_input_idxs"])
        with around(_EXPLAINS, lambda *_: []):
            key, _ = found(NEEDS[1])(module, inputs, given, to_check)
    except (found(NEEDS[2]), TypeError, AttributeError):
        return None
    finally:
        _forget_classes()
    return str(key), *_outside_graph(module)


def _forget_classes() -> None:
    """Each graph module has a class of its own, and what makes keys notes of every class for ever that it can be pickled."""
    known = getattr(found("torch._inductor.codecache:FxGraphCachePickler"), "_pickleable_type_cache", None)
    if isinstance(known, dict):
        for kind in [kind for kind in known if issubclass(kind, torch.fx.GraphModule)]:
            del known[kind]


def _is_plain(module: torch.fx.GraphModule, inputs: Sequence[Any], options: Mapping[str, Any]) -> bool:
    fixed = all(
        isinstance(value, torch.Tensor)
        and value.device.type == "cpu"
        and all(type(size) is int for size in (*value.shape, *value.stride()))
        for value in inputs
    )
    itself = not any(node.op in ("get_attr", "call_module") for node in module.graph.nodes)
    return fixed and itself and not options.get("cudagraphs")


def _outside_graph(module: torch.fx.GraphModule) -> tuple[object, ...]:
    """What of the surroundings goes into the code and not into torch's key."""
    nodes = module.graph.nodes
    metadata = getattr(torch._guards.TracingContext.try_get(), "fw_metadata", None)
    output = next(iter(reversed(nodes)))
    return (
        tuple(getattr(metadata, "bw_donated_idxs", None) or ()),
        tuple(output.meta.get("user_visible_output_idxs") or ()),
        tuple(tuple(str(source.name) for source in node.meta.get("from_node", ())) for node in nodes),
    )


def same_but_for_origins_of_inputs(graph: Graph, other: Graph) -> bool:
    """Whether two graphs are the same but for which operations before them made their inputs: no code shows that."""
    return len(graph.nodes) == len(other.nodes) and all(
        node == copied
        or (node.op == "placeholder" and node == msgspec.structs.replace(copied, notes=node.notes))
        for node, copied in zip(graph.nodes, other.nodes, strict=True)
    )


def noted_as(module: torch.fx.GraphModule, origin: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """A copy whose inputs were made by what those of `origin` were."""
    copied = clone_module(module)
    inputs = {node.name: node.meta for node in origin.graph.find_nodes(op="placeholder")}
    for node in copied.graph.find_nodes(op="placeholder"):
        node.meta = {**node.meta, _MADE_BY: inputs[node.name].get(_MADE_BY)}
    return copied


def note_strides(inputs: Sequence[Any], output: Any) -> None:
    """What a compile tells AOTAutograd: with which strides the graph returns."""
    found(NEEDS[4])(inputs, output)
