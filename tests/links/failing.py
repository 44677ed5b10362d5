"""``python -m tests.links.failing FOLDER``: programs that once failed under the loupe; what is right of each now, as a table."""

import sys
from collections.abc import Callable
from pathlib import Path

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import BytecodeStage, KernelStage, StageKind
from compiler.model.session_file.checks import check_capture
from tests.links.package_programs.links import reach
from tests.links.quick_captures import nothing_built

Check = Callable[[LiveCapture], str]


def _linked(live: LiveCapture) -> str:
    links, all_of, linked = Provenance(live.capture.links), 0, 0
    for stage in live.capture.stages:
        if isinstance(stage.content, KernelStage):
            for kernel in stage.content.kernels.kernels:
                all_of += 1
                above = links.ancestors(place(stage.id, kernel.id))
                linked += any(name.startswith("source:") for name in above)
    return f"kernels {linked} of {all_of}, " + ", ".join(
        f"{level} {right} of {count}" for level, (right, count) in reach(live.capture).counts.items()
    )


def _bytecode(live: LiveCapture) -> str:
    """Is the instruction that a node is linked to on the line that Dynamo wrote down for the node?"""
    links, right, wrong = Provenance(live.capture.links), 0, 0
    lines = {
        stage.id: {item.id: item.line for item in stage.content.code.instructions}
        for stage in live.capture.stages
        if isinstance(stage.content, BytecodeStage) and stage.kind is StageKind.BYTECODE
    }
    for stage in live.capture.of_kind(StageKind.DYNAMO_GRAPH):
        assert stage.graph is not None
        for node in stage.graph.nodes:
            own = {line.line for line in node.stack}
            for name, items in links.ancestors(place(stage.id, node.id)).items():
                for item in items if own and name in lines else ():
                    right, wrong = right + (lines[name][item] in own), wrong + (lines[name][item] not in own)
    return f"instructions on the node's line: {right}, elsewhere: {wrong}"


def _runs(live: LiveCapture) -> str:
    return "captured; parts: " + " ".join(sorted({stage.part for stage in live.capture.stages if stage.part}))


def _state(live: LiveCapture) -> str:
    module = live.program.module
    return (
        f"after the capture calls = {getattr(module, 'calls', None)}, kept = {getattr(module, 'kept', None)}"
    )


CHECKS: tuple[tuple[str, str, bool, Check], ...] = (
    ("checkpointing_unlinked.py", "Net", True, _linked),
    ("hops_unlinked.py", "cond", False, _linked),
    ("hops_unlinked.py", "scanned", False, _linked),
    ("extended_arg_shift.py", "run", False, _bytecode),
    ("is_none_shift.py", "run", False, _bytecode),
    ("is_none_shift3.py", "run", False, _bytecode),
    ("retain_graph.py", "step", True, _runs),
    ("double_backward.py", "Wgan", True, _runs),
    ("stateful.py", "Stateful", True, _state),
    ("sdpa_postgrad.py", "Net", False, _linked),
    ("fe_python_wrong_reason.py", "run", False, _linked),
    ("fe_state_wrong_reason.py", "Net", True, _linked),
    ("weightnorm_time_wrong.py", "Net", False, _linked),
)


def main(folder: Path) -> None:
    for file, name, training, check in CHECKS:
        spec = CaptureSpec(
            TargetSpec(f"{file}:{name}", str(folder)), run=RunOptions(training=training, gradients=training)
        )
        try:
            with nothing_built():
                live = make_capture(spec, "capture-1", lambda text: None)
            faults = list(check_capture(live.capture))
            said = [problem.what[:90] for problem in live.capture.problems]
            print(
                f"{file}:{name} | {check(live)} | contradictions {len(faults)} | {'; '.join(said)}",
                flush=True,
            )
        except Exception as error:
            print(f"{file}:{name} | {type(error).__name__}: {str(error)[:200]}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
