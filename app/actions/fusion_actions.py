"""Choosing which nodes of the loop IR share a kernel, and editing a kernel's source."""

from collections.abc import Callable

from app.actions.action_row import ActionRow, Context
from app.actions.selection_queries import PickedLoops, picked_kernel, picked_knobs, picked_loops
from app.session.edit_builders.fusion import bring_together, forbid_fusion, leave_to_inductor
from app.session.facade.tried_edit import make_or_report
from app.translation.texts import tr, tr_noop
from compiler.model.edits.edits import Edit


def _make(context: Context, make: Callable[[PickedLoops], Edit]) -> None:
    picked = picked_loops(context.session)
    if picked is not None:
        make_or_report(context.session, lambda: make(picked), tr("Select other nodes."))


def _picked(context: Context, test: Callable[[PickedLoops], bool]) -> bool:
    picked = picked_loops(context.session)
    return picked is not None and test(picked)


def _has_assembly(context: Context) -> bool:
    picked = picked_kernel(context.session)
    return picked is not None and picked.language in ("cpp", "triton")


def _is_triton(context: Context) -> bool:
    picked = picked_kernel(context.session)
    return picked is not None and picked.language == "triton"


def _has_knobs(context: Context) -> bool:
    session, picked = context.session, picked_kernel(context.session)
    lowered = (
        picked is not None and picked.language == "triton" and session.lowering.now(picked.name) is not None
    )
    return lowered or picked_knobs(session) is not None


ROWS = (
    ActionRow(
        "fusion.keep_apart", tr_noop("Do not fuse"), lambda c: _make(c, lambda p: forbid_fusion(p.stage, p.program, p.nodes)), "D",
        tr_noop("Keep the selected nodes of the loop IR in kernels of their own; a fused node is taken apart"),
        lambda c: _picked(c, lambda p: len(p.nodes) > 1), menu="Kernel", group="fusion",
    ),
    ActionRow(
        "fusion.bring_together", tr_noop("Fuse"), lambda c: _make(c, lambda p: bring_together(p.stage, p.program, p.groups)),
        "Shift+D", tr_noop("Ask for one kernel for the selected nodes; Inductor still refuses what would be wrong"),
        lambda c: _picked(c, lambda p: len(p.groups) > 1), menu="Kernel", group="fusion",
    ),
    ActionRow(
        "fusion.leave", tr_noop("Leave fusion to Inductor"),
        lambda c: _make(c, lambda p: leave_to_inductor(p.stage, p.program, p.nodes)), "",
        tr_noop("Take back what was chosen of the selected nodes"),
        lambda c: _picked(c, lambda p: any({r.first, r.second} & set(p.nodes) for r in p.program.choices)),
        menu="Kernel", group="fusion",
    ),
    ActionRow(
        "fusion.why", tr_noop("Why not fused?"), lambda c: c.shell.kernels.explain_unfused(), "W",
        tr_noop("What Inductor said of fusing the two selected nodes, and the memory traffic that it saves or would save"),
        lambda c: _picked(c, lambda p: len(p.groups) == 2 or len(p.nodes) == 2), menu="Kernel", group="fusion",
    ),
    ActionRow(
        "kernel.edit", tr_noop("Edit kernel source…"), lambda c: c.shell.kernels.edit_kernel(), "E",
        tr_noop("Change the generated source of the selected kernel; only it is built again"),
        lambda c: picked_kernel(c.session) is not None, menu="Kernel", group="fusion",
    ),
    ActionRow(
        "kernel.knobs", tr_noop("Knobs of the kernel…"), lambda c: c.shell.kernels.turn_knobs(), "Ctrl+K",
        tr_noop("What Inductor can be told for the selected kernel alone: vectorisation, threads, tiling, loop order; of a Triton "
        "kernel that was lowered block sizes, warps and stages"),
        _has_knobs, menu="Kernel", group="fusion",
    ),
    ActionRow(
        "kernel.assembly", tr_noop("Assembly of the kernel…"), lambda c: c.shell.kernels.show_assembly(), "Shift+E",
        tr_noop("What is made of the selected kernel beside its source, line by line: C++ to instructions, Triton to PTX and SASS"),
        _has_assembly, menu="Kernel", group="fusion",
    ),
    ActionRow(
        "kernel.check", tr_noop("Check the kernel on the CPU…"), lambda c: c.shell.kernels.check_kernel(), "Shift+I",
        tr_noop("Run the Triton kernels of this graph through Triton's interpreter, without a GPU, and compare each with the graph"),
        _is_triton, menu="Kernel", group="fusion",
    ),
)  # fmt: skip
