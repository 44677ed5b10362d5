"""Observing changes nothing: the code Inductor generates with the loupe on is the code it generates without."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.finished_process import ran
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine

_TARGETS = (
    "mlp.py:MLP",
    "mlp_dropout.py:MLP",
    "breaky.py:Breaky",
    "print_in_the_middle.py:forward",
    "lost_branch.py:Branch",
    "layer_loop.py:Stack",
    "conv_bn_relu.py:Net",
    "transformer_layer.py:EncoderLayer",
    "recompiling.py:Changing",
    "training_step.py:Step",
    "six_breaks.py:SixBreaks",
    "trace_forgets.py:Net",
)

_PROGRAM = """
import sys
from pathlib import Path
import torch
from torch._inductor.graph import GraphLowering
from compiler.engine.capture.capture import make_capture
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.engine.torch_internals.patch.settings import forget_compiled_code
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec

observed, out, folder, *targets = sys.argv[1:]
for target in targets:
    texts = []
    GraphLowering.save_output_code = texts.append
    spec = CaptureSpec(TargetSpec(target, folder), run=RunOptions(training=True))
    if observed == "yes":
        make_capture(spec, "capture-1", lambda text: None)
    else:
        forget_compiled_code()
        torch._inductor.config.fx_graph_cache = False
        torch._functorch.config.enable_autograd_cache = False
        program = load_program(spec.target)
        set_mode(program, spec.run)
        stepper = Stepper(program, spec.run)
        torch.manual_seed(0)
        stepper.step(torch.compile(program.callable))
    Path(out, target.replace(":", "_")).write_text("\\n#### next\\n".join(sorted(texts)))
"""


_QUICK = ("breaky.py:Breaky", "training_step.py:Step")


def _generate(observed: str, out: Path, targets: Sequence[str]) -> None:
    out.mkdir()
    root = EXAMPLES.parents[1]
    command = [sys.executable, "-c", _PROGRAM, observed, str(out), str(EXAMPLES), *targets]
    done = ran(
        command,
        root,
        {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH")))),
        },
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_example_is_among_them() -> None:
    assert {name.partition(":")[0] for name in _TARGETS} == {
        path.name for path in EXAMPLES.glob("*.py") if path.name != "__init__.py"
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    "targets",
    some((_QUICK, tuple(target for target in _TARGETS if target not in _QUICK)), one=True),
    ids=("quick", "others"),
)
def test_generated_code_is_the_same_text_with_and_without_the_loupe(
    targets: Sequence[str], tmp_path: Path
) -> None:
    _generate("no", tmp_path / "plain", targets)
    _generate("yes", tmp_path / "observed", targets)
    for target in targets:
        name = target.replace(":", "_")
        plain = (tmp_path / "plain" / name).read_text()
        assert plain, target
        assert (tmp_path / "observed" / name).read_text() == plain, target
