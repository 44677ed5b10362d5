"""One edited graph as a Python function that brings torch's graph from its base to its edited state."""

from collections.abc import Iterator

from compiler.model.export.edited_graph import EditedGraph
from compiler.model.export.python_text import ExportError, argument_text, target_text
from compiler.model.ir.arguments import Argument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

_NAMED = ("get_attr", "call_module")


def function_lines(name: str, row: EditedGraph, titles: tuple[str, ...]) -> Iterator[str]:
    """The function's source. Raises ExportError."""
    yield f"def {name}(graph: Graph, n: dict[str, Node]) -> None:"
    reported = [line.replace('"""', "'''").replace("\\", "/") for line in titles]
    if len(reported) == 1:
        yield f'    """{_sentence(reported[0])}"""'
    else:
        yield f'    """{len(reported)} edits of {row.stage}.'
        yield ""
        yield from (f"    * {line}" for line in reported)
        yield '    """'
    yield from (f"    {line}" for line in _statements(row.base, row.edited))
    yield ""
    yield ""


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _statements(base: Graph, edited: Graph) -> Iterator[str]:
    old, new = base.by_id(), edited.by_id()
    order = [node.id for node in base.nodes]
    yield from _created(base, edited, order)
    for node in edited.nodes:
        if node.id in old:
            yield from _updated(old[node.id], node)
    for node in reversed(base.nodes):
        if node.id not in new:
            order.remove(node.id)
            yield f"graph.erase_node(n.pop({node.id!r}))"
    if order != [node.id for node in edited.nodes]:
        yield f"reorder(graph, [n[name] for name in {' '.join(node.id for node in edited.nodes)!r}.split()])"


def _created(base: Graph, edited: Graph, order: list[NodeId]) -> Iterator[str]:
    known = {(node.op, node.target) for node in base.nodes}
    old = base.by_id()
    before: NodeId | None = None
    for node in edited.nodes:
        if node.id not in old:
            held = (
                "call_module",
                node.target.rpartition(".")[0],
            ) in known  # a parameter of a module that is called
            if node.op in _NAMED and (node.op, node.target) not in known and not held:
                raise ExportError(f"{node.id} uses {node.target}, which the program itself does not have.")
            if node.body or node.target.startswith("loupe"):
                raise ExportError(
                    f"{node.id}: probes and operators made here need Torch Loupe; take them out first."
                )
            if before is None:
                raise ExportError(f"{node.id} stands before all inputs.")
            order.insert(order.index(before) + 1, node.id)
            parts = ", ".join(
                (
                    repr(node.op),
                    target_text(node),
                    argument_text(node.args, node.id),
                    argument_text(node.kwargs, node.id),
                    f"name={node.id!r}",
                )
            )
            yield f"with graph.inserting_after(n[{before!r}]):"
            yield f"    n[{node.id!r}] = like_its_input(graph.create_node({parts}))"
        before = node.id


def _updated(old: Node, new: Node) -> Iterator[str]:
    node = f"n[{new.id!r}]"
    if (old.op, old.target) != (new.op, new.target):
        if old.op != new.op:
            yield f"{node}.op = {new.op!r}"
        yield f"{node}.target = {target_text(new)}"
        yield f'{node}.meta.pop("original_aten", None)'
    if old.args != new.args:
        texts = [
            f"{node}.args[{index}]"
            if index < len(old.args.items) and old.args.items[index] == item
            else argument_text(item, new.id)
            for index, item in enumerate(new.args.items)
        ]
        yield f"{node}.args = ({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    if old.kwargs != new.kwargs:
        before: dict[str, Argument] = dict(old.kwargs.items)
        texts = [
            f"{key!r}: {node}.kwargs[{key!r}]"
            if before.get(key) == item
            else f"{key!r}: {argument_text(item, new.id)}"
            for key, item in new.kwargs.items
        ]
        yield f"{node}.kwargs = {{{', '.join(texts)}}}"
