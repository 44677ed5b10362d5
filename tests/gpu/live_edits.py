"""``python -m tests.gpu.live_edits``: edits of a program that trains on the GPU of this machine, each between two of its steps.

Prints a line a try with what the program computed after it; exit status 1 where that is not what was asked for.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from compiler.model.edits.edits import ChooseFusion, ReplaceKernel
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import Recompile, Reply
from tests.compiler.recorder import test_live_edits as live
from tests.compiler.recorder.test_live_edits import Run

_ON_GPU = live._PROGRAM.replace("net = Net()", "net = Net().cuda()").replace(
    "torch.randn(4, 8)", "torch.randn(4, 8).cuda()"
)
_REPLAYED = _ON_GPU.replace("torch.compile(net)", "torch.compile(net, mode='reduce-overhead')")


def _said(run: Run) -> str:
    found = set(run.lines_from_now())
    return found.pop() if len(found) == 1 else f"{len(found)} results"


def _tries(run: Run) -> Iterator[tuple[str, bool, str]]:
    """What was tried, whether it did what it should, and what was seen."""
    said = _said(run)
    yield "as compiled", said == live._RELU, said
    for name, edits, wanted in (("gelu", live._gelu(run), live._GELU), ("taken back", (), live._RELU)):
        live._recompiled(run, edits, name)
        said = _said(run)
        yield name, said == wanted, said
    stage, kernel = live._kernel(run, "forward")
    silent = "\n".join(line for line in kernel.source.split("\n") if "tl.store(" not in line)
    live._recompiled(run, (ReplaceKernel(stage, kernel.name, silent),), "silent")
    said = _said(run)
    yield (
        f"Triton kernel {kernel.name} without its stores",
        silent != kernel.source and said != live._RELU,
        said,
    )
    broken = kernel.source.replace("tl.store(", "tl.stored(")
    problem = live._refused(run, Recompile("run", (ReplaceKernel(stage, kernel.name, broken),), "broken"))
    live._recompiled(run, (), "back")
    said = _said(run)
    yield "a Triton kernel that does not compile", said == live._RELU, problem.message()[:300]
    yield from _fusions(run)
    post_grad = live._stage(run, StageKind.POST_GRAD_GRAPH, "forward")
    live._recompiled(run, live._instead(run, post_grad, "relu", "torch.ops.aten.neg.default"), "post-grad")
    said = _said(run)
    yield "post-grad relu to neg", said not in (live._RELU, live._GELU), said
    live._recompiled(run, (), "end")
    said = _said(run)
    yield "taken back", said == live._RELU, said


def _fusions(run: Run) -> Iterator[tuple[str, bool, str]]:
    assert run.lane.capture is not None
    for stage in run.lane.capture.of_kind(StageKind.FUSED_LOOP_IR):
        for node in stage.content.program.nodes:  # type: ignore[union-attr]
            if len(node.children) > 1:
                loops = stage.id.replace(":fused", ":loops")
                edit = ChooseFusion(loops, node.children[0], node.children[1], False)
                live._recompiled(run, (edit,), "apart")
                said = _said(run)
                live._recompiled(run, (), "together")
                yield "a fusion forbidden", said == live._RELU, said
                return


def _replayed(run: Run) -> Iterator[tuple[str, bool, str]]:
    """CUDA graphs: refused in words, and the program goes on."""
    answer = run.ask(Recompile("run", live._gelu(run), "refused"))
    reported = "accepted" if isinstance(answer, Reply) else answer.problem.message()
    said = _said(run)
    yield (
        "an edit of what is replayed as a CUDA graph",
        "CUDA graph" in reported and said == live._RELU,
        reported[:300],
    )


def main() -> None:
    """Try all."""
    failed = False
    for program, tries in ((_ON_GPU, _tries), (_REPLAYED, _replayed)):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(Path(folder), program=program)
            try:
                run.until_compiled()
                for name, right, seen in tries(run):
                    print(json.dumps({"tried": name, "right": right, "seen": seen}), flush=True)
                    failed |= not right
            finally:
                run.end()
    sys.exit(failed)


if __name__ == "__main__":
    main()
