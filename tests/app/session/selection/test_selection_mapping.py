"""What is selected after a recompile: what was, or what stands in its place; never what is merely near."""

import msgspec
import pytest

from app.session.selection.selection_mapping import keeper
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NOWHERE, Place, place
from compiler.model.ir.links import LinkTable, Provenance
from compiler.model.ir.stage import FxStage, SourceStage
from tests.helpers import sample_capture
from tests.helpers.sample_capture import DYNAMO, SOURCE, node, output, placeholder

LINE = "L6"


def captured(*names: str) -> tuple[Capture, Provenance]:
    """One line made these calls, each of the one before."""
    sample = sample_capture.capture()
    calls = [node(name, "torch.relu", before) for before, name in zip(("x", *names), names, strict=False)]
    graph = FxStage(Graph((placeholder("x"), *calls, output(names[-1]))))
    stages = (
        sample.stage(SOURCE),
        msgspec.structs.replace(sample.stage(DYNAMO), content=graph),
    )
    links = LinkTable(SOURCE, DYNAMO, "traced", "torch", tuple((LINE, name) for name in names))
    return msgspec.structs.replace(sample, stages=stages, links=(links,)), Provenance((links,))


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (("a", "b", "c"), place(DYNAMO, "b")),
        (("a", "c"), NOWHERE),  # its neighbours of the same line were not selected
        (("a", "erf", "mul", "c"), place(DYNAMO, "erf", "mul")),
    ],
)
def test_what_is_selected_after_a_recompile(after: tuple[str, ...], found: Place) -> None:
    (before, old), (now, new) = captured("a", "b", "c"), captured(*after)
    assert isinstance(before.stage(SOURCE).content, SourceStage)
    assert keeper(old, new, now)(place(DYNAMO, "b")) == found


def test_of_a_stage_that_is_gone_the_line_is_selected() -> None:
    (before, old), (now, new) = captured("a", "b", "c"), captured("a", "b", "c")
    left = msgspec.structs.replace(now, stages=(before.stage(SOURCE),))
    assert keeper(old, new, left)(place(DYNAMO, "b")) == place(SOURCE, LINE)
