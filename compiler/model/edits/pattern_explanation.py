"""Why a pattern matches at a node, or the first thing that does not: the same walk as torch's matcher, in words."""

from compiler.model.edits.patterns import NearMiss, PatternMatch, results_of
from compiler.model.ir.arguments import (
    Argument,
    ArgumentPath,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    children,
    text_of,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId


class _FailedError(Exception):
    def __init__(self, pattern_node: NodeId, node: NodeId, path: ArgumentPath, why: str) -> None:
        super().__init__(why)
        self.where = pattern_node, node, path
        self.why = why


def explain(stage: StageId, pattern: Graph, graph: Graph, end: NodeId) -> PatternMatch | NearMiss:
    """Hold the pattern's end against a node of a graph."""
    walk = _Walk(pattern, graph)
    try:
        walk.node(results_of(pattern)[0], end)
        walk.contained()
    except _FailedError as failed:
        return NearMiss(stage, walk.found(), *failed.where, failed.why)
    return PatternMatch(stage, walk.found(), tuple(walk.inputs.items()))


def candidates(pattern: Graph, graph: Graph) -> tuple[NodeId, ...]:
    """Nodes where the pattern might end: those that call what its end calls, and those that use what its end uses."""
    calls = pattern.by_id()
    end = calls[results_of(pattern)[0]]
    before = {
        (calls[name].op, calls[name].target) for name in end.inputs() if calls[name].op.startswith("call")
    }
    known = graph.by_id()
    return tuple(
        node.id
        for node in graph.nodes
        if node.op.startswith("call")
        and (
            (node.op, node.target) == (end.op, end.target)
            or any((known[name].op, known[name].target) in before for name in node.inputs())
        )
    )


class _Walk:
    """From the end upwards, argument by argument, in torch's order."""

    def __init__(self, pattern: Graph, graph: Graph) -> None:
        self._pattern, self._graph = pattern.by_id(), graph.by_id()
        self._order = [node.id for node in pattern.nodes]
        self._results = set(results_of(pattern))
        self._all = graph
        self.inputs: dict[NodeId, Argument] = {}
        self._pairs: dict[NodeId, NodeId] = {}

    def found(self) -> tuple[tuple[NodeId, NodeId], ...]:
        """The calls that match, in the pattern's order."""
        return tuple((name, self._pairs[name]) for name in self._order if name in self._pairs)

    def node(self, wanted: NodeId, given: NodeId) -> None:
        """Raises _FailedError."""
        if wanted in self._pairs:
            if self._pairs[wanted] != given:
                raise _FailedError(
                    wanted, given, (), f"{self._pairs[wanted]} stands for {wanted} already, so {given} cannot"
                )
            return
        if given in self._pairs.values():
            raise _FailedError(wanted, given, (), f"{given} stands for another call of the pattern already")
        own, other = self._pattern[wanted], self._graph[given]
        if (own.op, own.target) != (other.op, other.target):
            what = other.target if other.op.startswith("call") else f"nothing: it is a {other.op}"
            raise _FailedError(wanted, given, (), f"{given} calls {what}, the pattern {own.target}")
        if len(own.args.items) != len(other.args.items):
            counts = f"{len(other.args.items)} positional arguments, the pattern {len(own.args.items)}"
            raise _FailedError(wanted, given, ("args",), f"{given} is given {counts}")
        mine, its = [key for key, _ in own.kwargs.items], [key for key, _ in other.kwargs.items]
        if mine != its:
            raise _FailedError(
                wanted, given, ("kwargs",),
                f"{given} is given the keywords ({', '.join(its)}), the pattern ({', '.join(mine)})",
            )  # fmt: skip
        for root, pair in (("args", (own.args, other.args)), ("kwargs", (own.kwargs, other.kwargs))):
            self._each(own, other, (root,), *pair)
        self._pairs[wanted] = given

    def _argument(
        self, own: Node, other: Node, path: ArgumentPath, wanted: Argument, given: Argument
    ) -> None:
        match wanted:
            case NodeArgument() if self._pattern[wanted.node].op == "placeholder":
                before = self.inputs.setdefault(wanted.node, given)
                if before != given:
                    self._fail(
                        own,
                        other,
                        path,
                        f"{text_of(given)}, where {wanted.node} is {text_of(before)} elsewhere",
                    )
            case NodeArgument():
                if not isinstance(given, NodeArgument):
                    self._fail(
                        own,
                        other,
                        path,
                        f"{text_of(given)}, the pattern has the result of {self._pattern[wanted.node].target}",
                    )
                else:
                    self.node(wanted.node, given.node)
            case ConstantArgument():
                if wanted != given:
                    self._fail(own, other, path, f"{text_of(given)}, the pattern wants {wanted.text}")
            case SequenceArgument() | MappingArgument() | SliceArgument():
                self._each(own, other, path, wanted, given)

    def _each(self, own: Node, other: Node, path: ArgumentPath, wanted: Argument, given: Argument) -> None:
        mine, its = dict(children(wanted)), dict(children(given))
        if type(wanted) is not type(given) or mine.keys() != its.keys():
            self._fail(own, other, path, f"{text_of(given)}, the pattern wants {text_of(wanted)}")
        for step, part in mine.items():
            self._argument(own, other, (*path, step), part, its[step])

    def _fail(self, own: Node, other: Node, path: ArgumentPath, words: str) -> None:
        raise _FailedError(own.id, other.id, path, f"argument {'.'.join(path[1:])} of {other.id} is {words}")

    def contained(self) -> None:
        """What is only a step within the pattern may not be used elsewhere. Raises _FailedError."""
        inside = set(self._pairs.values())
        for wanted, given in self._pairs.items():
            if wanted in self._results:
                continue
            for user in self._all.nodes:
                if user.id not in inside and given in user.inputs():
                    raise _FailedError(
                        wanted, given, (), f"{given} is also used by {user.id}, outside the pattern"
                    )
