"""Which stages can be edited, and why the others cannot."""

from compiler.model.capture.front_ends import (
    EXPORT,
    EXPORT_DRAFT,
    EXPORT_DYNAMIC,
    EXPORT_STRICT,
    FX_CODE,
    SCRIPTED_TEXTS,
    front_end_named,
)
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.stage import EDITABLE, Stage, StageKind, TextStage

_EXPORTS = (EXPORT, EXPORT_DYNAMIC, EXPORT_STRICT, EXPORT_DRAFT)
_GRAPHS = {
    "fx": ("graph",),
    **dict.fromkeys(_EXPORTS, ("graph",)),
    "make_fx": ("graph",),
    "aot": ("joint", "inference"),
    "prims": ("aten",),
}
"""The graphs of other front ends that can be edited: what follows is made of them again."""
_NEVER = {
    "eager": "It is a record of what ran: there is no graph that could be run changed. Capture with torch.compile or torch.fx.",
    "lazy": "LazyTensor makes its graphs again from the program in every step: change the program.",
    "jit.script": "TorchScript's graphs are edited as text, in the stage “IR, weights as inputs”.",
    "jit.trace": "TorchScript's graphs are edited as text, in the stage “IR, weights as inputs”.",
    "precompile": "torch.compiler.precompile makes graph, kernels and file in one go: capture with make_fx, whose graph it is, or with torch.compile.",
    "func": "torch.func transforms the program itself: change the program, or capture with make_fx.",
}
"""Why no graph of a front end can be edited."""
_TEXTS = (FX_CODE, *SCRIPTED_TEXTS)
FOR_OTHER_BACKEND = "; for another backend than Inductor"
"""How what made a graph ends where Inductor does not compile it."""
SAVED_BY_EXPORT = "torch.export.load"
"""What a stage of a saved file was made by."""


def can_be_edited(front_end: str) -> bool:
    """Whether something of what a front end makes can be edited."""
    return front_end in _GRAPHS or any(text.startswith(f"{front_end}:") for text in _TEXTS)


def edits_text(stage: Stage | None) -> bool:
    """Whether a stage is a text that can be replaced and run."""
    return stage is not None and stage.id in _TEXTS and isinstance(stage.content, TextStage)


def edits_graph(stage: Stage | None) -> bool:
    """Whether a stage has an FX graph that can be edited."""
    return stage is not None and stage.graph is not None and not why_fixed(stage)


def chooses_partition(stage: Stage | None) -> bool:
    """Whether what the forward of a joint graph keeps can be chosen: not where a front end shows two partitioners' choices."""
    return stage is not None and stage.kind is StageKind.JOINT_GRAPH and stage.compile_id not in _GRAPHS


def why_fixed(stage: Stage) -> str:
    """Why a stage cannot be edited, in a sentence; empty where it can."""
    front_end, _, what = stage.id.partition(":")
    if stage.id in _TEXTS or stage.kind is StageKind.BODY:
        return ""
    if stage.kind is StageKind.LOOP_IR and (body := body_of(stage.id)):
        return f"{stage.title} cannot be edited: fusions and knobs are chosen for whole graphs. Edit the graph of {body}."
    if stage.made_by.endswith(FOR_OTHER_BACKEND):
        return f"{stage.title}: only what Inductor compiles is edited behind Dynamo's graph: edit that one, or use Inductor."
    if stage.kind is StageKind.LOG_TEXT:
        return f"{stage.title} was read from a log, in which torch only says what it did."
    if stage.kind is StageKind.FRONT_END_TEXT:
        return f"{stage.title} is read only; edit the graph that it was made from."
    if stage.kind is not StageKind.FRONT_END_GRAPH and front_end not in _GRAPHS:
        return (
            ""
            if stage.kind in EDITABLE
            else f"{stage.title} cannot be edited: edit a graph, the loop IR or a kernel."
        )
    if stage.made_by == SAVED_BY_EXPORT:
        return "It was opened from a file, without the program that it could be judged beside: capture the program."
    if front_end in _NEVER:
        return _NEVER[front_end]
    if what in _GRAPHS.get(front_end, ()):
        return ""
    first = _GRAPHS.get(front_end, ("graph",))[0]
    title = front_end_named(front_end).title
    return f"{stage.title} is made from the graph before it: edit {title}'s “{first}” stage, and this one follows."
