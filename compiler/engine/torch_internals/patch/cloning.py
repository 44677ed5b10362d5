"""Copies of graph modules that can be compiled again."""

import copy
import warnings
from typing import Any

import torch
import torch.fx
from torch._subclasses.fake_tensor import unset_fake_temporarily

GIVES = "copies of live graphs"
NEEDS = ("torch._subclasses.fake_tensor:unset_fake_temporarily",)

_MODULE_FACTS = ("_param_name_to_source", "_source_to_user_stacks", "_backend_id")


def clone_module(module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """A copy whose graph may be edited: the tensors that the module holds and metadata are shared. They are the program's: an optimizer's
    graph writes to the parameters that it holds.

    ``deepcopy`` drops Python attributes that Dynamo keeps on nodes and refuses FakeTensors under their own mode; both are
    handled here.
    """
    with unset_fake_temporarily(), warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch's own pytree, when it copies itself
        clone: torch.fx.GraphModule = copy.deepcopy(module, _shared(module))
    carry_facts(module, clone)
    _carry_names(module, clone)
    return clone


def _shared(module: torch.fx.GraphModule) -> dict[int, Any]:
    """What copying leaves as it is."""
    own = (value for part in module.modules() for value in vars(part).values())
    tensors = (*module.parameters(), *module.buffers(), *own)
    return {id(value): value for value in tensors if isinstance(value, torch.Tensor)}


def _carry_names(module: torch.fx.GraphModule, clone: torch.fx.GraphModule) -> None:
    """Copying calls every output ``output``, also that of a body which Dynamo called ``output_1``."""
    for old, new in zip(module.modules(), clone.modules(), strict=True):
        if isinstance(old, torch.fx.GraphModule) and isinstance(new, torch.fx.GraphModule):
            for before, after in zip(old.graph.nodes, new.graph.nodes, strict=True):
                if after.name != before.name:
                    after.name = before.name


def carry_facts(module: torch.fx.GraphModule, clone: torch.fx.GraphModule) -> None:
    """What Dynamo hands the backend beside its graph: where inputs come from, and so which are parameters, whose
    memory stays where it is. AOTAutograd partitions by it. Calls may be other ones: Dynamo writes graphs inside it in their places.
    """
    clone.meta = dict(module.meta)
    known = {old.name: old for old in module.graph.nodes if hasattr(old, "_dynamo_source")}
    for new in clone.graph.nodes:
        if new.name in known:
            new._dynamo_source = known[new.name]._dynamo_source
    for fact in _MODULE_FACTS:
        if hasattr(module, fact):
            setattr(clone, fact, getattr(module, fact))
