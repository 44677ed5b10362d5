"""Edits: values that name ids, apply to a graph, and have an inverse.

``apply_edit(graph, edit)`` gives the new graph and the edit that takes it back; applying that gives the very
same graph again. Consequences (the uses that must be rewired) are part of the edit, so undo is exact.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from compiler.model.edits.fusion_edits import ChooseFusion as ChooseFusion
from compiler.model.edits.fusion_edits import choose_fusion, describe_fusion, with_choice
from compiler.model.edits.graph_draft import AnyGraph, GraphDraft
from compiler.model.edits.kernel_knobs import ChooseKnob as ChooseKnob
from compiler.model.edits.kernel_knobs import choose_knob, describe_knob
from compiler.model.edits.node_edits import (
    ReorderNodes,
    SetArguments,
    describe_node_edit,
    reorder,
    set_arguments,
)
from compiler.model.edits.partition_edits import (
    ChooseMemoryBudget,
    ChooseSaved,
    PartitionEdit,
    choose,
    describe_choice,
)
from compiler.model.edits.text_edits import ReplaceText as ReplaceText
from compiler.model.edits.text_edits import describe_text, replace_text
from compiler.model.edits.validation import FIXED, find_node, require_defined_before
from compiler.model.edits.validation import EditError as EditError
from compiler.model.edits.wrapper_edits import ReplaceWrapper as ReplaceWrapper
from compiler.model.edits.wrapper_edits import replace_wrapper
from compiler.model.ir.arguments import (
    Argument,
    ArgumentPath,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    text_of,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import IdentityStore, identity_cached
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import FusionChoice, KernelSet, LoopProgram, WrapperCode
from compiler.model.ir.stage import TextStage


class ReplaceTarget(msgspec.Struct, frozen=True, tag="replace_target"):
    """Make a node call something else, with these arguments."""

    stage: StageId
    node: NodeId
    op: str
    target: str
    args: SequenceArgument
    kwargs: MappingArgument = MappingArgument(())


class SetArgument(msgspec.Struct, frozen=True, tag="set_argument"):
    """Put another argument at a path of a node."""

    stage: StageId
    node: NodeId
    path: ArgumentPath
    argument: Argument


class BypassNode(msgspec.Struct, frozen=True, tag="bypass_node"):
    """Remove a node; whoever used it uses `replacement` instead.

    `replacement` None is for a node that nobody uses.
    """

    stage: StageId
    node: NodeId
    replacement: NodeId | None


class InsertNode(msgspec.Struct, frozen=True, tag="insert_node"):
    """Put a node at an index and let these uses of another node use it instead."""

    stage: StageId
    node: Node
    index: int
    uses: tuple[tuple[NodeId, ArgumentPath], ...]


class ReplaceKernel(msgspec.Struct, frozen=True, tag="replace_kernel"):
    """Give a generated kernel another source. What it computes is then the person's affair, and judged."""

    stage: StageId
    kernel: str
    """Its name in the wrapper."""
    source: str


class EditGroup(msgspec.Struct, frozen=True, tag="edit_group"):
    """Several edits that are one step for the person: "every relu in this graph"."""

    label: str
    edits: tuple["Edit", ...]


SingleEdit: TypeAlias = (
    ReplaceTarget
    | SetArgument
    | SetArguments
    | BypassNode
    | InsertNode
    | ReorderNodes
    | ChooseFusion
    | ChooseSaved
    | ChooseMemoryBudget
    | ChooseKnob
    | ReplaceKernel
    | ReplaceWrapper
    | ReplaceText
)
Edit: TypeAlias = SingleEdit | EditGroup
CodeEdit: TypeAlias = ChooseFusion | ChooseKnob | ReplaceKernel | ReplaceWrapper
"""Edits of what is behind the graphs: loops, kernels, the wrapper."""
Editable: TypeAlias = Graph | LoopProgram | KernelSet | WrapperCode | TextStage
"""What an edit changes."""


def apply_edit(content: Editable, edit: Edit) -> tuple[Editable, Edit]:
    """The edited content and the inverse edit. Raises EditError; what is given is never changed."""
    if isinstance(content, Graph):
        if not isinstance(edit, EditGroup):
            return _edit_graph(content, edit)
        return _apply_group(content, edit)
    if isinstance(edit, EditGroup):
        inverses: list[Edit] = []
        for part in edit.edits:
            content, inverse = apply_edit(content, part)
            inverses.append(inverse)
        return content, _undoing(edit, inverses)
    return _edit_code(content, edit)


_groups: IdentityStore[tuple[Graph, EditGroup]] = IdentityStore()


def _apply_group(graph: Graph, group: EditGroup) -> tuple[Graph, EditGroup]:
    """The last few are known: of thousands of edits that is seconds, when they are made after a look at them, undone, redone."""
    known = _groups.get(graph, group)
    if known is None:
        draft = GraphDraft(graph)
        inverse = edit_draft(draft, group)
        assert isinstance(inverse, EditGroup)
        known = draft.graph(), inverse
        _keep_group(graph, group, *known)
    return known


def _keep_group(graph: Graph, group: EditGroup, made: Graph, inverse: EditGroup) -> None:
    _groups.put((made, inverse), graph, group)
    _groups.put((graph, group), made, inverse)


def group_made(label: str, parts: list[Edit], inverses: list[Edit], graph: Graph, made: Graph) -> EditGroup:
    """A group whose edits were made of a graph one by one, so that nobody has to make them again."""
    group = EditGroup(label, tuple(parts))
    _keep_group(graph, group, made, _undoing(group, inverses))
    return group


def edit_draft(draft: GraphDraft, edit: Edit) -> Edit:
    """Edit a graph in place, and give the inverse edit. Raises EditError, and then the draft is as it was."""
    if isinstance(edit, EditGroup):
        inverses: list[Edit] = []
        try:
            for part in edit.edits:
                inverses.append(edit_draft(draft, part))
        except EditError:
            for inverse in reversed(inverses):
                edit_draft(draft, inverse)
            raise
        return _undoing(edit, inverses)
    if isinstance(edit, ReorderNodes):
        graph, inverse = reorder(draft.graph(), edit)
        draft.become(graph)
        return inverse
    return _edit_graph(draft, edit)[1]


def _undoing(edit: EditGroup, inverses: list[Edit]) -> EditGroup:
    return EditGroup(f"Undo: {edit.label}", tuple(reversed(inverses)))


def _edit_code(
    content: LoopProgram | KernelSet | WrapperCode | TextStage, edit: SingleEdit
) -> tuple[Editable, Edit]:
    if isinstance(content, LoopProgram):
        if isinstance(edit, ChooseKnob):
            return choose_knob(content, edit)
        if not isinstance(edit, ChooseFusion):
            raise EditError("Loop IR has no calls to edit; edit the post-grad graph.")
        return choose_fusion(content, edit)
    if isinstance(content, TextStage):
        if not isinstance(edit, ReplaceText):
            raise EditError("Of a text only the whole can be replaced.")
        return replace_text(content, edit)
    if isinstance(content, WrapperCode):
        if not isinstance(edit, ReplaceWrapper):
            raise EditError("Of a wrapper only the text can be edited.")
        return replace_wrapper(content, edit)
    if not isinstance(edit, ReplaceKernel):
        raise EditError("Of kernels only the source can be edited.")
    return _replace_kernel(content, edit)


def apply_graph_edit(graph: Graph, edit: Edit) -> tuple[Graph, Edit]:
    """As `apply_edit`, for an FX graph."""
    edited, inverse = apply_edit(graph, edit)
    assert isinstance(edited, Graph)
    return edited, inverse


def _edit_graph(graph: AnyGraph, edit: Edit) -> tuple[AnyGraph, Edit]:
    match edit:
        case ReplaceTarget():
            return _replace_target(graph, edit)
        case ChooseSaved() | ChooseMemoryBudget():
            return choose(graph, edit)
        case SetArgument():
            return _set_argument(graph, edit)
        case BypassNode():
            return _bypass(graph, edit)
        case InsertNode():
            return _insert(graph, edit)
        case SetArguments():
            return set_arguments(graph, edit)
        case ReorderNodes() if isinstance(graph, Graph):
            return reorder(graph, edit)
        case _:
            raise EditError("A graph has no fusions and no kernels; edit those in their own stages.")


def apply_edits(graph: Graph, edits: Iterable[Edit], stage: StageId) -> Graph:
    """The graph of `stage` after every edit that concerns it, in order. Raises EditError."""
    concerned = [edit for edit in edits if stage in stages_of(edit)]
    if not concerned:
        return graph
    draft = GraphDraft(graph)
    for edit in concerned:
        edit_draft(draft, edit)
    return draft.graph()


def _replace_kernel(content: KernelSet, edit: ReplaceKernel) -> tuple[KernelSet, Edit]:
    found = [kernel for kernel in content.kernels if kernel.name == edit.kernel]
    if not found:
        raise EditError(f"There is no kernel {edit.kernel}.")
    before = found[0].source
    if not before:
        raise EditError(f"{edit.kernel} is a library call; it has no source to edit.")
    if before == edit.source:
        raise EditError("The source is the same.")
    kernels = tuple(
        msgspec.structs.replace(kernel, source=edit.source) if kernel.name == edit.kernel else kernel
        for kernel in content.kernels
    )
    return KernelSet(kernels), ReplaceKernel(edit.stage, edit.kernel, before)


def kernel_sources(edits: Iterable[Edit], stage: StageId) -> dict[str, str]:
    """What all edits of a kernel stage come to: kernel name → source."""
    sources: dict[str, str] = {}
    for edit in edits:
        if isinstance(edit, EditGroup):
            sources |= kernel_sources(edit.edits, stage)
        elif isinstance(edit, ReplaceKernel) and edit.stage == stage:
            sources[edit.kernel] = edit.source
    return sources


def single_edits(edits: Iterable[Edit]) -> Iterator["SingleEdit"]:
    """The edits in order, those of groups one by one."""
    for edit in edits:
        if isinstance(edit, EditGroup):
            yield from single_edits(edit.edits)
        else:
            yield edit


def is_code(edit: "SingleEdit") -> bool:
    """Whether it is text that is executed: of a kernel, a wrapper, a stage of another front end. All others are data."""
    return isinstance(edit, ReplaceKernel | ReplaceWrapper | ReplaceText)


def partition_choices(edits: Iterable[Edit], stage: StageId) -> tuple[PartitionEdit, ...]:
    """The edits of a joint graph that are about its partition, in order."""
    found: list[PartitionEdit] = []
    for edit in edits:
        if isinstance(edit, EditGroup):
            found += partition_choices(edit.edits, stage)
        elif isinstance(edit, ChooseSaved | ChooseMemoryBudget) and edit.stage == stage:
            found.append(edit)
    return tuple(found)


def fusion_choices(edits: Iterable[Edit], stage: StageId) -> tuple[FusionChoice, ...]:
    """What all edits of a loop IR come to."""
    choices: tuple[FusionChoice, ...] = ()
    for edit in edits:
        if isinstance(edit, EditGroup):
            for choice in edit.edits:
                if isinstance(choice, ChooseFusion) and choice.stage == stage:
                    choices = with_choice(choices, choice)
        elif isinstance(edit, ChooseFusion) and edit.stage == stage:
            choices = with_choice(choices, edit)
    return choices


def stages_of(edit: Edit) -> tuple[StageId, ...]:
    """The stages an edit changes; a group of edits may not mix stages, so there is one."""
    return _stages_of_group(edit) if isinstance(edit, EditGroup) else (edit.stage,)


@identity_cached
def _stages_of_group(group: EditGroup) -> tuple[StageId, ...]:
    """Each of a hundred stages asks whether it is concerned by thousands of edits."""
    return tuple(dict.fromkeys(stage for part in group.edits for stage in stages_of(part)))


def nodes_of(edit: Edit) -> tuple[NodeId, ...]:
    """The nodes an edit names."""
    match edit:
        case EditGroup():
            return tuple(dict.fromkeys(node for part in edit.edits for node in nodes_of(part)))
        case InsertNode():
            return (edit.node.id,)
        case ChooseFusion():
            return (edit.first, edit.second)
        case ReplaceKernel():
            return (edit.kernel,)
        case ChooseMemoryBudget() | ReplaceWrapper() | ReplaceText():
            return ()
        case ReorderNodes():
            return edit.order
        case _:
            return (edit.node,)


def keeps_graphs(edit: Edit) -> bool:
    """Whether an edit leaves every graph as it is, so that the same is to be computed, with the same random numbers."""
    if isinstance(edit, EditGroup):
        return all(keeps_graphs(part) for part in edit.edits)
    return isinstance(edit, CodeEdit | ChooseSaved | ChooseMemoryBudget)


def describe_edit(edit: Edit) -> str:
    """One line for the history."""
    match edit:
        case ReplaceTarget():
            return f"{edit.node}: call {edit.target}"
        case SetArgument():
            return f"{edit.node}: {'.'.join(edit.path)} = {text_of(edit.argument)}"
        case SetArguments() | ReorderNodes():
            return describe_node_edit(edit)
        case ChooseSaved() | ChooseMemoryBudget():
            return describe_choice(edit)
        case BypassNode():
            return f"Remove {edit.node}" + (
                f", {edit.replacement} takes its place" if edit.replacement else ""
            )
        case InsertNode():
            return f"Insert {edit.node.id}: {edit.node.target}"
        case ChooseFusion() | ChooseKnob() | ReplaceKernel() | ReplaceWrapper():
            return _describe_code_edit(edit)
        case ReplaceText():
            return describe_text(edit)
        case EditGroup():
            return edit.label


def _describe_code_edit(edit: CodeEdit) -> str:
    match edit:
        case ChooseFusion():
            return describe_fusion(edit)
        case ChooseKnob():
            return describe_knob(edit)
        case ReplaceKernel():
            return f"Edit the source of {edit.kernel}"
        case ReplaceWrapper():
            return "Edit the wrapper"


def _replace_target(graph: AnyGraph, edit: ReplaceTarget) -> tuple[AnyGraph, Edit]:
    old = find_node(graph, edit.node)
    if old.op in FIXED or edit.op in FIXED:
        raise EditError(f"{old.id} is a{'n' if old.op == 'output' else ''} {old.op}; it calls nothing.")
    if old.body:
        raise EditError(f"{old.id} holds a part of the graph; inline it first.")
    new = msgspec.structs.replace(old, op=edit.op, target=edit.target, args=edit.args, kwargs=edit.kwargs)
    index = graph.index(edit.node)
    require_defined_before(graph, index, new)
    inverse = ReplaceTarget(edit.stage, old.id, old.op, old.target, old.args, old.kwargs)
    return graph.with_node(index, new), inverse


def _set_argument(graph: AnyGraph, edit: SetArgument) -> tuple[AnyGraph, Edit]:
    old = find_node(graph, edit.node)
    if old.op == "placeholder":
        raise EditError(f"{old.id} is an input; it has no arguments to change.")
    if len(edit.path) < 2 or edit.path[0] not in ("args", "kwargs"):
        raise EditError(f"{'.'.join(edit.path)} names no argument.")
    try:
        before = old.argument(edit.path)
        new = old.with_argument(edit.path, edit.argument)
    except KeyError:
        raise EditError(f"{old.id} has no argument {'.'.join(edit.path)}.") from None
    index = graph.index(edit.node)
    require_defined_before(graph, index, new)
    return graph.with_node(index, new), SetArgument(edit.stage, old.id, edit.path, before)


def _bypass(graph: AnyGraph, edit: BypassNode) -> tuple[AnyGraph, Edit]:
    old = find_node(graph, edit.node)
    if old.op in FIXED:
        raise EditError(f"{old.id} is a{'n' if old.op == 'output' else ''} {old.op} and cannot be removed.")
    index = graph.index(old.id)
    uses = graph.uses_of(old.id)
    if edit.replacement is None and uses:
        raise EditError(f"{old.id} is used by {uses[0][0]}; name a node that takes its place.")
    if edit.replacement is not None and not (
        graph.holds(edit.replacement) and graph.index(edit.replacement) < index
    ):
        raise EditError(f"{edit.replacement} does not come before {old.id}, so it cannot take its place.")
    replacement = NodeArgument(edit.replacement or "")
    changed = {
        user: graph.node(user).with_arguments(dict.fromkeys(places, replacement))
        for user, places in _by_user(uses).items()
    }
    made = graph.without(old, changed, edit.replacement)
    return made, InsertNode(edit.stage, old, index, uses)


def _insert(graph: AnyGraph, edit: InsertNode) -> tuple[AnyGraph, Edit]:
    node = edit.node
    if graph.holds(node.id):
        raise EditError(f"There is already a node {node.id}; choose another name.")
    if not 0 <= edit.index <= graph.size:
        raise EditError(f"There is no position {edit.index} in this graph.")
    if node.op in FIXED:
        raise EditError("Inputs and outputs cannot be inserted.")
    require_defined_before(graph, edit.index, node)
    replaced: set[NodeId] = set()
    changed: dict[NodeId, Node] = {}
    for user, paths in _by_user(edit.uses).items():
        if not graph.holds(user):
            raise EditError(f"There is no node {user} that could use {node.id}.")
        if graph.index(user) < edit.index:
            raise EditError(f"{user} comes before {node.id} and cannot use it.")
        using = graph.node(user)
        for path in paths:
            there = _argument(using, path)
            if not isinstance(there, NodeArgument):
                raise EditError(f"{'.'.join(path)} of {user} is no node's result.")
            replaced.add(there.node)
        changed[user] = using.with_arguments(dict.fromkeys(paths, NodeArgument(node.id)))
    if len(replaced) > 1:
        raise EditError(f"One insertion can stand in for one node, not for {', '.join(sorted(replaced))}.")
    made = graph.with_one_more(edit.index, node, changed)
    return made, BypassNode(edit.stage, node.id, replaced.pop() if replaced else None)


def _argument(node: Node, path: ArgumentPath) -> Argument | None:
    try:
        return node.argument(path)
    except KeyError:
        return None


def _by_user(uses: Iterable[tuple[NodeId, ArgumentPath]]) -> dict[NodeId, list[ArgumentPath]]:
    """Every place of a node together: replaced one after the other, ten thousand of them take minutes."""
    found: dict[NodeId, list[ArgumentPath]] = {}
    for user, path in uses:
        found.setdefault(user, []).append(path)
    return found
