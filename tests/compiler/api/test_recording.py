"""``torch_loupe.record`` around code of one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import torch_loupe
from compiler.analysis.remedies.for_breaks import remedies_for
from compiler.model.capture.frames import BreakCategory
from compiler.model.graph_breaks.break_summary import describe_category

pytestmark = pytest.mark.engine


def test_what_is_compiled_in_the_block_is_kept_and_counted(tmp_path: Path) -> None:
    torch.compiler.reset()
    net = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), backend="aot_eager")
    with torch_loupe.record(tmp_path / "a.loupe") as found:
        for size in (2, 2, 3):
            net(torch.ones(size, 4)).sum().backward()
    net(torch.ones(3, 4))
    assert [(row.id, row.calls) for row in found.summary.compiles] == [("0/0", 2), ("0/1", 1)]
    assert "size mismatch" in found.summary.compiles[1].cause
    assert "2 compiles" in str(found)
    assert "s in the block)" in str(found)
    assert "2 compiles" in found._repr_html_()
    assert "relu" in found.capture["0/0:dynamo"].text
    again = torch_loupe.open(tmp_path / "a.loupe")
    assert [stage.id for stage in again.stages] == [stage.id for stage in found.capture.stages]
    with pytest.raises(torch_loupe.LoupeError, match="recorded while"):
        again.edit(again["0/0:dynamo"].replace("relu", torch.nn.functional.gelu)).recompile()


def test_a_block_that_fails_fails_as_without_us_and_is_kept(tmp_path: Path) -> None:
    torch.compiler.reset()

    def run() -> None:
        with torch_loupe.record(tmp_path / "a.loupe"):
            torch.compile(torch.sin, backend="eager")(torch.ones(2))
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run()
    assert torch_loupe.open(tmp_path / "a.loupe").stages


def test_a_block_that_compiles_nothing_says_so() -> None:
    with torch_loupe.record() as found:
        pass
    assert found.summary is None or not found.summary.compiles
    with pytest.raises(torch_loupe.LoupeError, match="Nothing was compiled"):
        found.capture  # noqa: B018


def test_an_export_that_fails_is_no_graph_break() -> None:
    """No program runs in parts because of it: torch counts none."""
    torch.compiler.reset()

    def branching(x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.sum() > 0 else x - 1

    with torch_loupe.record() as found:
        with pytest.raises((torch._dynamo.exc.UserError, torch._dynamo.exc.Unsupported)):
            torch._dynamo.export(branching)(torch.ones(3))
        torch.compile(torch.sin, backend="eager")(torch.ones(2))
    assert found.summary.breaks == 0
    (stopped,) = found.capture.breaks
    assert stopped.sort is BreakCategory.EXPORT
    assert "torch._dynamo.export makes one graph or none" in describe_category(stopped)


def _counted(x: torch.Tensor) -> torch.Tensor:
    return x * int(x.sum() > 0)


def _in_another(x: torch.Tensor) -> torch.Tensor:
    return _counted(x) + 1


@pytest.mark.parametrize(("function", "inlined"), [(_counted, False), (_in_another, True)])
def test_who_calls_compiled_code_is_no_reason_to_let_called_functions_break(
    function: Callable[[torch.Tensor], torch.Tensor], inlined: bool
) -> None:
    """A program that is recorded as it runs always has a line that calls what is compiled."""
    torch.compiler.reset()
    with torch_loupe.record() as found:
        torch.compile(function, backend="eager")(torch.ones(3))
    data = found.capture.data
    item = data.breaks[0]
    assert len(item.stack) > 1
    titles = [remedy.title for remedy in remedies_for(data, item)]
    assert ("Let the called function break by itself" in titles) is inlined
