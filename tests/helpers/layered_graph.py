"""Graphs of layers made at random: alike but for a difference here and there, and wired in every way that layers are.

`Choose` is what draws: hypothesis in the tests, a seeded generator elsewhere.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import TensorValue

Choose = Callable[[Sequence[Any]], Any]

ROW = TensorValue(("4", "8"), "float32")
_TARGETS = ("aten.mul.Tensor", "aten.add.Tensor", "aten.relu.default", "prims.inductor_lookup_seed.default")
_SOURCES = (
    "before",
    "before",
    "first before",
    "own",
    "own",
    "own attribute",
    "first attribute",
    "weight",
    "weight",
    "next weight",
    "mask",
    "far",
    "outside",
    "list",
)
_PARTS = ("", "", ".norm", ".mlp.fc")
_ODD = ("constant", "dtype", "shape", "edge", "target", "keyword", "role", "module", "body", "none")


class _Step(msgspec.Struct):
    """One call of every layer."""

    target: str
    sources: list[str]
    part: str
    constant: str
    keyword: str
    body: str


class _Layers:
    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.nodes: list[Node] = []
        self.made: dict[tuple[str, int], list[str]] = {}
        """The results of each layer, by lane."""

    def graph(self) -> Graph:
        """All of it."""
        count = self.choose((2, 4, 5, 6))
        steps = [self._step() for _ in range(self.choose((1, 2, 3, 4)))]
        lanes = [("", range(count), steps)]
        if self.choose((False, False, True)):
            back = [self._step() for _ in range(self.choose((1, 2, 3)))]
            lanes = [("forward", range(count), steps), ("backward", range(count - 1, -1, -1), back)]
        self._inputs(count)
        odd = self.choose(range(count)), self.choose(range(len(steps))), self.choose(_ODD)
        odd_lane = self.choose([lane for lane, _, _ in lanes])
        for lane, numbers, template in lanes:
            last = "x"
            for number in numbers:
                last = self._layer(lane, number, template, last, odd if lane == odd_lane else (-1, 0, "none"))
        results = SequenceArgument("tuple", (NodeArgument(self.nodes[-1].id),))
        self.nodes.append(Node("output", "output", "output", SequenceArgument("tuple", (results,))))
        return Graph(tuple(self.nodes))

    def _step(self) -> _Step:
        sources = [self.choose(_SOURCES) for _ in range(self.choose((1, 1, 2, 3)))]
        return _Step(
            self.choose(_TARGETS),
            sources,
            self.choose(_PARTS),
            self.choose(("", "0.5", "2")),
            self.choose(("", "1")),
            self.choose(("", "", "", "aten.tanh.default")),
        )

    def _inputs(self, count: int) -> None:
        self._add("x", "placeholder", "x", [], "", "input")
        self._add("mask", "placeholder", "mask", [], "", "input")
        for number in range(count + 1):
            for kind in ("w", "b"):
                self._add(f"{kind}{number}", "placeholder", f"{kind}_{number}", [], "", "parameter")

    def _layer(self, lane: str, number: int, steps: list[_Step], last: str, odd: tuple[int, int, str]) -> str:
        own: list[str] = []
        self.made[lane, number] = own
        for at, step in enumerate(steps):
            name = f"{lane[:1]}n{number}_{at}"
            kind = odd[2] if odd[:2] == (number, at) else "none"
            given = [self._source(source, lane, number, last, own, name) for source in step.sources]
            if kind == "edge":
                given[-1] = NodeArgument(self.choose([node.id for node in self.nodes]))
            if step.constant:
                given.append(ConstantArgument("float", "7.5" if kind == "constant" else step.constant))
            value = {
                "dtype": msgspec.structs.replace(ROW, dtype="bfloat16"),
                "shape": TensorValue(("4", "9"), "float32"),
            }
            path = f"layers.{number}{'.odd' if kind == 'module' else step.part}"
            target = "aten.tanh.default" if kind == "target" else step.target
            keyword = "3" if kind == "keyword" else step.keyword
            role = "saved" if kind == "role" else ""
            self._add(name, "call_function", target, given, path, role, lane, keyword, value.get(kind, ROW))
            if step.body:
                called = "aten.sin.default" if kind == "body" else step.body
                inner = Node(f"{name}_in", "call_function", called, SequenceArgument("tuple", ()))
                self.nodes[-1] = msgspec.structs.replace(self.nodes[-1], body=(inner,))
            own.append(name)
        if own and self.choose((False, False, True)):  # a sum between two layers, of no module
            name = f"{lane[:1]}sum{number}"
            given = [NodeArgument(own[-1]), NodeArgument(last)]
            self._add(name, "call_function", "aten.add.Tensor", given, "", "", lane)
            return self.choose((name, own[-1]))
        return own[-1] if own else last

    def _source(self, kind: str, lane: str, number: int, last: str, own: list[str], name: str) -> Argument:
        other = "forward" if lane == "backward" else lane
        if kind == "own" and own:
            return NodeArgument(self.choose(own))
        before = self.made.get((lane, number + (1 if lane == "backward" else -1)))
        if kind == "first before" and before:
            return NodeArgument(before[0])
        if kind.endswith("attribute"):
            return self._attribute(number if kind.startswith("own") else 0, lane)
        if kind == "weight":
            return NodeArgument(f"{'wb'[len(own) % 2]}{number}")
        if kind == "next weight":
            return NodeArgument(f"w{number + 1}")
        if kind == "mask":
            return NodeArgument("mask")
        if kind == "far":
            known = self.made.get((other, number if lane == "backward" else 0)) or ["x"]
            return NodeArgument(known[-1])
        if kind == "outside":
            self._add(f"{name}_out", "call_function", "aten.t.default", [NodeArgument(f"b{number}")], "")
            return NodeArgument(f"{name}_out")
        if kind == "list":
            end = ConstantArgument("int", "8")
            return SequenceArgument("list", (NodeArgument(last), SliceArgument(NodeArgument("x"), end, end)))
        return NodeArgument(last)

    def _attribute(self, owner: int, lane: str) -> Argument:
        """One that stands in a layer, as torch.export has them."""
        name = f"{lane[:1]}attribute{owner}"
        if all(node.id != name for node in self.nodes):
            self._add(name, "get_attr", f"scale_{owner}", [], f"layers.{owner}", "", lane)
        return NodeArgument(name)

    def _add(
        self,
        name: str,
        op: str,
        target: str,
        given: Sequence[Argument],
        path: str,
        role: str = "",
        lane: str = "",
        keyword: str = "",
        value: TensorValue = ROW,
    ) -> None:
        named = (("dim", ConstantArgument("int", keyword)),) if keyword else ()
        args = SequenceArgument("tuple", tuple(given))
        lane = lane or ("forward" if op == "placeholder" and ("backward", 0) in self.made else lane)
        self.nodes.append(
            Node(name, op, target, args, MappingArgument(named), value, path, lane=lane, role=role)
        )


def layered_graph(choose: Choose) -> Graph:
    """A graph of two to six layers, forward and backward or neither, with at most one planted difference."""
    return _Layers(choose).graph()
