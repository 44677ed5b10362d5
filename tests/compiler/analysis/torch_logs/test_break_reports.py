"""Reports of graph breaks in logs."""

import pytest

from compiler.analysis.torch_logs.records.break_reports import read_break

REPORT = """Graph break in user code at main.py:58
Graph Break Reason: {}:

Attempted to wrap sparse Tensor
  Explanation: torch.compile does not support sparse Tensors

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0015.html
"""


@pytest.mark.parametrize(
    "begins",
    [
        "Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y)",
        "Failed to handle graph break gracefully. Skipping the function and falling back to eager. Graph break encountered",
    ],
)
def test_a_break_for_which_a_frame_is_given_up_is_the_break_that_was_met(begins: str) -> None:
    """It was counted as one more, under torch's sentence: three of gcn where `loupe run` told two."""
    found = read_break(REPORT.format(begins), "0/0")
    assert (found.kind, found.registry_id) == ("Attempted to wrap sparse Tensor", "GB0015")
