"""What Dynamo compiles of a program after its capture, for values that only an edited step has."""

import pytest
import torch

import torch_loupe

pytestmark = pytest.mark.engine


def of_a_number(x: torch.Tensor) -> tuple[int, float]:
    """Its resume function is compiled for any count, once two were seen."""
    return int((torch.relu(x) > 0.5).sum()), float(torch.relu(x).mean())


def test_what_an_edited_step_had_compiled_does_not_stand_before_what_was_captured():
    """All later edits of the resume function were *not judged*, since it never ran again. Numbers are results here, too."""
    captured = torch_loupe.capture(of_a_number, torch.arange(-5, 25) / 10)
    for stage in ("0/0:dynamo", "1/0:dynamo"):
        relu = next(node.id for node in captured[stage].nodes if "relu" in node.id)
        edit = captured[stage].replace(relu, torch.nn.functional.gelu)
        _, verdict = captured.edit(edit).recompile()
        assert verdict.right is True, verdict.summary
