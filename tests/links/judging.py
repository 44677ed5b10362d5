"""What is an operation's own and what is not, from a capture with it and captures without it or with a relative."""

import dataclasses
import re
from collections import Counter

from compiler.model.capture.capture import Capture
from compiler.model.ir.loop_ir import Kernel, LoopNode
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, StageKind
from tests.links.ablation import Site
from tests.links.differences import gone, same_call

FX = (
    StageKind.DYNAMO_GRAPH, StageKind.PRE_GRAD_GRAPH, StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH,
    StageKind.POST_GRAD_GRAPH,
)  # fmt: skip
_VIEWS = {
    "view", "_unsafe_view", "reshape", "permute", "transpose", "t", "select", "slice", "split", "split_with_sizes",
    "unbind", "unsqueeze", "squeeze", "expand", "alias", "as_strided", "detach", "getitem",
}  # fmt: skip
_BUFFER = re.compile(r"\b(buf\d+|arg\d+_\d+|primals_\d+|tangents_\d+)\b")
_CALLED_OPS = re.compile(r"\bops\.\w+\(")
_SIZE = re.compile(r"size=(\[[^\]]*\])")


@dataclasses.dataclass
class Truth:
    """What changing one site changed: nodes that are its own, and nodes that are certainly not, by stage.

    FX stages: all nodes are one or the other, but for those where the comparison is unsure. Loop IR, kernels and kernel
    lines: `own` is what reads otherwise when the site is written as a near relative, and library calls that are gone
    without the site; `others` is what stays the same text without the site, or is the line of another site's constant.
    """

    site: Site
    own: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    others: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    constant_lines: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    """Kernel stage → lines that hold a constant of the site."""


def find_stage(capture: Capture, stage_id: str) -> Stage | None:
    """The stage of that id, if the capture has it."""
    return next((stage for stage in capture.stages if stage.id == stage_id), None)


def judge_graphs(truth: Truth, before: Capture, without: list[Capture]) -> None:
    """In every FX stage: what is gone in all captures without the site is its own."""
    for stage in before.stages:
        others = [find_stage(capture, stage.id) for capture in without]
        if stage.kind not in FX or None in others or stage.graph is None:
            continue
        results = [gone(stage.graph, other.graph) for other in others if other is not None and other.graph]
        own = frozenset.intersection(*(result.nodes for result in results))
        unsure = frozenset.union(*(result.unsure for result in results))
        nodes = {node.id for node in stage.graph.nodes if node.op not in ("placeholder", "output")}
        truth.own[stage.id] = (nodes & own) - unsure
        truth.others[stage.id] = nodes - own - unsure
        _judge_partitioned(truth, before, stage)


def _judge_partitioned(truth: Truth, capture: Capture, stage: Stage) -> None:
    """What stands in the forward graph and what in the backward is the partitioner's choice, which may fall otherwise
    without the site: a node may be gone from a part though it is not the site's. If it is the joint graph's node, of the
    same name and calling the same for the same result, then what is true of that one is true of it.
    """
    joint = find_stage(capture, f"{stage.compile_id}:joint")
    if not stage.part or joint is None or joint.id not in truth.own:
        return
    origin = joint.graph.by_id()
    again = {node.id for node in stage.graph.nodes if node.id in origin and same_call(node, origin[node.id])}
    for kept in (truth.own, truth.others):
        kept[stage.id] = (kept[stage.id] - again) | (again & kept[joint.id])


def judge_kernels(truth: Truth, before: Capture, without: Capture) -> None:
    """What is computed by the same text without the site is not its own; library calls that are gone are.

    Views are left out: what stands in their place lies in memory as they did.
    """
    made = {
        node.target.split(".")[1] if node.target.startswith("aten.") else node.target.rpartition(".")[2]
        for stage in before.stages
        if stage.kind in (StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH) and stage.graph is not None
        for node in stage.graph.nodes
        if node.id in truth.own.get(stage.id, ())
    }
    for stage in before.stages:
        other = find_stage(without, stage.id)
        if other is None or not isinstance(stage.content, LoopStage | KernelStage):
            continue
        texts, others = _texts(stage, before), _texts(other, without)
        count, kept = Counter(texts.values()), Counter(others.values())
        if stage.kind is StageKind.LOOP_IR:
            same = _still_there(stage, other)
        else:
            loops = truth.others.get(stage.id.rpartition(":")[0] + ":loops", set())
            same = {name for name, text in texts.items() if kept[text] >= count[text]}
            same = {name for name in same if _all_in(stage, name, loops)}
        calls = {name for name, text in texts.items() if text.startswith("call")}
        if not made <= _VIEWS:
            truth.others.setdefault(stage.id, set()).update(same)
        lost = {name for name in calls if kept[texts[name]] == 0}
        truth.own.setdefault(stage.id, set()).update(lost)


def _all_in(stage: Stage, name: str, loops: set[str]) -> bool:
    """Whether all scheduler nodes of a fused node or kernel are among those that are still there. Layers that are alike have
    kernels of the same text, so that the text alone does not tell which of them is gone.
    """
    if isinstance(stage.content, KernelStage):
        nodes = next(row.loop_nodes for row in stage.kernels if row.id == name)
        return set(nodes) <= loops
    assert isinstance(stage.content, LoopStage)
    node = next(row for row in stage.content.program.nodes if row.id == name)
    return set(node.children or (name,)) <= loops


def _still_there(stage: Stage, other: Stage) -> set[str]:
    """Loops of which the one without the site has as many: of the same text, that read what loops made that are still there,
    or what new ones made in the place of ones that are gone.

    What the operator itself brings along is not counted: picking its results, and copies that nothing but it reads.
    Without looking at what is read, a loop would pass for another one that does the same to something else (the mean of a
    difference for the mean of the next one).
    """
    assert isinstance(stage.content, LoopStage)
    assert isinstance(other.content, LoopStage)
    old, new = _made(stage.content.program.nodes), _made(other.content.program.nodes)
    brought = _brought(other.content.program.nodes)
    texts = {name: text for name, text in _loop_texts(old).items() if text}
    there = {name: text for name, text in _loop_texts(new).items() if text and name not in brought}
    before, after = set(texts.values()), set(there.values())
    fits: dict[str, set[str]] = {}

    def stands_for(a: str, b: str, reader: LoopNode) -> bool:
        if a in texts and b in there and texts[a] == there[b]:
            return b in fits.get(a, ())
        if _is_copy(reader):
            return False  # what is copied is all that tells one copy from another
        gone, fresh = texts.get(a, "") not in after, there.get(b, "") not in before
        return bool(a and b) and gone and fresh

    for name, text in texts.items():  # in the order they run: what is read comes first
        mine = _sources(old, name)
        fits[name] = {
            twin
            for twin, same in there.items()
            if same == text
            and len(theirs := _sources(new, twin)) == len(mine)
            and all(a == b == "" or stands_for(a, b, old[name]) for a, b in zip(mine, theirs, strict=True))
        }
    return {
        name
        for name, equal_locations in fits.items()
        if equal_locations
        and len(equal_locations) >= sum(not equal_locations.isdisjoint(more) for more in fits.values())
    }


def _made(nodes: tuple[LoopNode, ...]) -> dict[str, LoopNode]:
    return {node.id: node for node in nodes if not node.children}


def _sources(nodes: dict[str, LoopNode], name: str) -> list[str]:
    """The loops that made what a loop reads, in the order of its reads; "" for an input of the graph."""
    maker = {buffer: node.id for node in nodes.values() for buffer in node.buffers}
    return [maker.get(item.buffer, "") for item in nodes[name].reads]


def _brought(nodes: tuple[LoopNode, ...]) -> set[str]:
    """The operator, its results picked, and plain copies that it alone reads."""
    own = {node.id for node in nodes if "torch_loupe_links" in node.operation}
    buffers = {buffer for node in nodes if node.id in own for buffer in node.buffers}
    own |= {
        node.id
        for node in nodes
        if node.operation == "MultiOutput" and buffers.intersection(item.buffer for item in node.reads)
    }
    for node in nodes:
        readers = {
            reader.id for reader in nodes if {item.buffer for item in reader.reads}.intersection(node.buffers)
        }
        if readers and readers <= own and _is_copy(node):
            own.add(node.id)
    return own


def _is_copy(node: LoopNode) -> bool:
    """A load and a store, and nothing between them."""
    return len(_CALLED_OPS.findall(node.body)) == 2


def _loop_texts(nodes: dict[str, LoopNode]) -> dict[str, str]:
    texts = {name: _call(node) or _renamed(node.body) for name, node in nodes.items()}
    return {name: "" if "seed" in text or "rand" in text else text for name, text in texts.items()}


def _texts(stage: Stage, capture: Capture) -> dict[str, str]:
    """What each loop node or kernel computes, buffers named in the order they appear; "" names nothing to compare."""
    if isinstance(stage.content, LoopStage):
        nodes = {node.id: node for node in stage.content.program.nodes}
        texts = {
            name: _call(node) or _renamed(node.body) for name, node in nodes.items() if not node.children
        }
    else:
        assert isinstance(stage.content, KernelStage)
        loops = find_stage(capture, stage.id.replace(":kernels", ":loops"))
        assert isinstance(loops.content, LoopStage)
        known = {node.id: node for node in loops.content.program.nodes}
        texts = {row.id: _kernel_text(row, known) for row in stage.kernels}
    # random numbers are distinguished by their place among all of the graph, which moves when one is gone
    return {name: text for name, text in texts.items() if text and "seed" not in text and "rand" not in text}


def _kernel_text(kernel: Kernel, known: dict[str, LoopNode]) -> str:
    if kernel.source:
        return kernel.source
    calls = [_call(known[name]) for name in kernel.loop_nodes if name in known]
    return calls[0] if len(calls) == 1 else ""


def _call(node: LoopNode) -> str:
    """A library call: what it calls and the size of what it gives.

    Which of several products that are added up becomes an ``addmm`` is the choice of a pattern, which falls otherwise
    without the site: a product is a product.
    """
    size = _SIZE.search(node.layout)
    called = node.operation.replace("extern_kernels.addmm", "extern_kernels.mm")
    return f"call {called} {size[1]}" if "Extern" in node.kind and size else ""


def _renamed(body: str) -> str:
    names: dict[str, str] = {}
    return _BUFFER.sub(lambda match: names.setdefault(match[0], f"b{len(names)}"), body)


def _loop_shape(node: LoopNode) -> object:
    return (
        node.id, node.kind, node.children, [(item.buffer, item.index) for item in (*node.reads, *node.writes)],
    )  # fmt: skip


def judge_by_relative(truth: Truth, before: Capture, after: Capture, constant: bool) -> None:
    """What reads otherwise in stages of equal structure is the site's own. `constant`: only its constants differ."""
    for stage in before.stages:
        other = find_stage(after, stage.id)
        if other is None or (
            stage.part == "backward" and not truth.own.get(f"{stage.compile_id}:backward:aot")
        ):
            # an operation without a node in the backward graph has no code there; its relative may bring some: what ``-``
            # adds to what ``+`` has is a negation
            continue
        if isinstance(stage.content, LoopStage) and isinstance(other.content, LoopStage):
            first, second = stage.content.program.nodes, other.content.program.nodes
            if list(map(_loop_shape, first)) == list(map(_loop_shape, second)):
                changed = {a.id for a, b in zip(first, second, strict=True) if a.body != b.body}
                truth.own.setdefault(stage.id, set()).update(changed)
        if isinstance(stage.content, KernelStage) and isinstance(other.content, KernelStage):
            _compare_kernels(truth, stage, (stage.content, other.content), constant)


def _unnumbered(source: str) -> list[str]:
    """Lines of a kernel without the numbers of its variables and arguments, which move when one more is needed before
    them, and without its head.
    """
    body = re.sub(r"\btmp\d+\b", "tmp", re.sub(r"\b(in_out|in|out)_ptr\d+\b", "ptr", source)).split("\n")
    head = next((index for index, line in enumerate(body) if line.strip() == "{"), 0)
    return [""] * head + body[head:]


def _loop_heads(lines: list[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip().startswith(("for(", "if(C10_"))]


def _compare_kernels(
    truth: Truth, stage: Stage, sets: tuple[KernelStage, KernelStage], constant: bool
) -> None:
    rows, others = (item.kernels.kernels for item in sets)
    if [row.language for row in rows] != [row.language for row in others]:
        return
    texts = [(_unnumbered(a.source), _unnumbered(b.source)) for a, b in zip(rows, others, strict=True)]
    if any(len(a) != len(b) for a, b in texts):
        return
    own = truth.own.setdefault(stage.id, set())
    for row, (a, b) in zip(rows, texts, strict=True):
        if _loop_heads(a) != _loop_heads(b):
            continue  # the loops run otherwise (tiled, or over other sizes), so that lines of any operation differ
        kept = Counter(b)
        lines = {f"{row.id}:L{number}" for number, x in enumerate(a, 1) if not kept[x]}
        own |= lines | ({row.id} if a != b else set())
        if constant:
            truth.constant_lines.setdefault(stage.id, set()).update(lines)
