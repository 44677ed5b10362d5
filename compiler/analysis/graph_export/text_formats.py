"""networkx graphs as GraphML and DOT."""

import re

import networkx

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml(graph: networkx.DiGraph) -> str:
    """GraphML, with every attribute."""
    clean = networkx.relabel_nodes(graph, _legal)
    for facts in (
        clean.graph,
        *(row for _, row in clean.nodes(data=True)),
        *(row[-1] for row in clean.edges(data=True)),
    ):
        facts.update({key: _legal(value) for key, value in facts.items() if isinstance(value, str)})
    return "\n".join(networkx.generate_graphml(clean)) + "\n"


def dot(graph: networkx.DiGraph) -> str:
    """DOT, as Graphviz reads it: what a node calls is its label, facts are its tooltip."""
    lines = [f"digraph {_quoted(str(graph.graph.get('name', '')))} {{", "  node [shape=box];"]
    for node, facts in graph.nodes(data=True):
        label = "\n".join(filter(None, [node, _fact(facts, "target"), _fact(facts, "value")]))
        lines.append(f"  {_quoted(node)} [label={_quoted(label)}];")
    for first, second, facts in graph.edges(data=True):
        label = _fact(facts, "kind") or _fact(facts, "buffers")
        lines.append(
            f"  {_quoted(first)} -> {_quoted(second)}" + (f" [label={_quoted(label)}];" if label else ";")
        )
    return "\n".join([*lines, "}"]) + "\n"


def _fact(facts: dict[str, object], name: str) -> str:
    return str(facts.get(name) or "")


def _legal(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
