"""Bringing a live FX graph into the state of an edited plain graph.

The window edits plain data; here the same result is reached on torch's graph by comparing the plain graph before and
after. What is equal in both is not touched, so nothing is lost to spelling.
"""

from collections.abc import Iterable
from typing import Any

import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import MARK
from compiler.engine.fx.resolve_target import find_argument, find_target
from compiler.engine.graph_editing.submodule_callables import make_callable
from compiler.engine.stage_ids import split
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId, place


def sync(
    module: torch.fx.GraphModule, before: Graph, after: Graph, stage: StageId, known: Iterable[Any] = ()
) -> tuple[str, ...]:
    """Change `module`, whose graph reads as `before`, so that it reads as `after`. Gives the nodes that are new or call
    something else now. What nodes may call is what edits may, what the graph calls, and what is `known`. Raises EngineError.
    """
    live = {node.name: node for node in module.graph.nodes}
    own = tuple(dict.fromkeys([*(node.target for node in module.graph.nodes), *known]))
    old, new = before.by_id(), after.by_id()
    anchor: torch.fx.Node | None = None
    touched: list[str] = []
    for node in after.nodes:
        if node.id not in old:
            touched.append(node.id)
            live[node.id] = _create(module, node, anchor, live, own, stage)
        anchor = live[node.id]
    for node in after.nodes:
        if node.id in old and node.calls_otherwise(old[node.id]):
            touched.append(node.id)
            _update(live[node.id], old[node.id], node, live, own, stage)
    for name in touched:
        _require_held(module, new[name], stage)
        if name not in old:
            _place_of_write(live[name])
    for node in reversed(before.nodes):
        if node.id not in new:
            module.graph.erase_node(live[node.id])
    _order(module.graph, after, live)
    module.graph.lint()
    module.recompile()
    return tuple(touched)


def _require_held(module: torch.fx.GraphModule, node: Node, stage: StageId) -> None:
    """Modules and tensors are called by their place in the graph's module. Raises EngineError where there is none."""
    owner: Any = module
    for part in node.target.split(".") if node.op in ("call_module", "get_attr") else ():
        if not hasattr(owner, part):
            raise _refused(node, stage, KeyError(f"This graph holds no {node.target!r}."))
        owner = getattr(owner, part)


def _order(graph: torch.fx.Graph, after: Graph, live: dict[str, torch.fx.Node]) -> None:
    """Let the live nodes run in the order of the plain ones; where they do already, nothing is touched."""
    if [node.name for node in graph.nodes] == [node.id for node in after.nodes]:
        return
    anchor = live[after.nodes[0].id]
    graph._root.append(anchor)  # noqa: SLF001  the only place before the first node
    for node in after.nodes[1:]:
        anchor.append(live[node.id])
        anchor = live[node.id]


def _create(
    module: torch.fx.GraphModule,
    node: Node,
    anchor: torch.fx.Node | None,
    live: dict[str, torch.fx.Node],
    own: tuple[Any, ...],
    stage: StageId,
) -> torch.fx.Node:
    graph = module.graph
    with graph.inserting_after(anchor):
        try:
            if node.body:
                make_callable(module, node, own)
            created = graph.create_node(
                node.op,
                find_target(node.op, node.target, own),
                tuple(find_argument(item, live) for item in node.args.items),
                {key: find_argument(item, live) for key, item in node.kwargs.items},
                name=node.id,
            )
        except KeyError as error:
            raise _refused(node, stage, error) from error
    if created.name != node.id:
        raise EngineError(
            f"torch would call the new node {created.name}, not {node.id}.", "Choose another name."
        )
    name = f"{body}/{node.id}" if (body := body_of(stage)) else node.id
    created.meta["custom"] = {MARK: [f"{split(stage)[0]}:{name}"]}
    return created


def _place_of_write(created: torch.fx.Node) -> None:
    """A new node has no line of its own: it takes that of the nearest node above or below it that has one, above first.
    A constant, an input of the graph and some of what a decomposition made have none.
    """
    above, below, seen = [created], [created], {created}
    while above or below:
        above = [item for node in above for item in node.all_input_nodes if item not in seen]
        below = [item for node in below for item in node.users if item not in seen and item.op != "output"]
        for node in (*above, *below):
            if node.stack_trace:
                for key in ("stack_trace", "nn_module_stack"):
                    if key in node.meta:
                        created.meta[key] = node.meta[key]
                return
        seen |= {*above, *below}


def _update(
    node: torch.fx.Node,
    old: Node,
    new: Node,
    live: dict[str, torch.fx.Node],
    own: tuple[Any, ...],
    stage: StageId,
) -> None:
    try:
        if (old.op, old.target) != (new.op, new.target):
            target = find_target(new.op, new.target, own)
            node.op, node.target = new.op, target
            node.meta.pop("original_aten", None)
        args = [
            node.args[index]
            if index < len(node.args) and _same(old.args.items, index, item)
            else find_argument(item, live)
            for index, item in enumerate(new.args.items)
        ]
        before = dict(old.kwargs.items)
        kwargs = {
            key: node.kwargs[key] if before.get(key) == item else find_argument(item, live)
            for key, item in new.kwargs.items
        }
        node.args, node.kwargs = tuple(args), kwargs
    except KeyError as error:
        raise _refused(new, stage, error) from error


def _same(items: tuple[object, ...], index: int, item: object) -> bool:
    return index < len(items) and items[index] == item


def _refused(node: Node, stage: StageId, error: KeyError) -> EngineError:
    reason = str(error.args[0]) if error.args else str(error)
    return EngineError(
        f"{node.id}: {reason}", "Undo the edit or choose another value.", place=place(stage, node.id)
    )
