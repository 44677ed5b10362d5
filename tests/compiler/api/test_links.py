"""What a line or a node is linked with: in the order of programs, lines together, and a guess told as one."""

import msgspec
import pytest

from compiler.analysis.queries.stage_lookup import StageNotFoundError
from compiler.analysis.text_format.printer import program
from compiler.api.following import follow
from compiler.api.links import Links
from compiler.model.ir.links import GUESS
from tests.helpers.sample_capture import KERNELS, LOOPS, capture


def test_nodes_stand_in_the_order_of_their_program_and_lines_together() -> None:
    made = capture()
    links = follow(made, "0/0:dynamo", ("z", "y"))
    assert links["0/0:dynamo"] == ("y", "z")
    for stage, nodes in links.items():
        order = [node for owners in program(made.stage(stage)).line_nodes for node in owners]
        assert list(nodes) == sorted(nodes, key=order.index), stage
    assert links[KERNELS][1:] == (
        "cpp_fused_mul_relu_0",
        "cpp_fused_mul_relu_0:L4",
        "cpp_fused_mul_relu_0:L5",
    )
    assert f"{KERNELS}: extern_kernels.mm, cpp_fused_mul_relu_0, L4–L5" in str(links)
    lines = Links({"source:a.py": ("L2", "L3", "L9", "L10", "L16"), "kernels": ("a:L1", "b:L2", "b:L4")}, {})
    assert str(lines) == "source:a.py: L2–L3, L9–L10, L16\nkernels: a:L1, b:L2, L4"


def test_what_only_a_guess_leads_to_is_reported_as_one() -> None:
    made = capture()
    assert follow(made, "0/0:dynamo", ("y",)).guesses == {}
    tables = tuple(
        msgspec.structs.replace(table, proof=GUESS) if table.target == LOOPS else table
        for table in made.links
    )
    links = follow(msgspec.structs.replace(made, links=tables), "0/0:dynamo", ("y",))
    assert links.guesses[LOOPS] == {"op0"} == set(links[LOOPS])
    assert "0/0:joint" not in links.guesses
    assert f"{LOOPS}: ? op0" in str(links)
    assert f"{KERNELS}: ? extern_kernels.mm" in str(links), "what lies behind it as well"


def test_what_is_not_there_is_reported_with_what_is() -> None:
    made = capture()
    with pytest.raises(StageNotFoundError) as reported:
        follow(made, KERNELS, ("relu",))
    assert "It has extern_kernels.mm, cpp_fused_mul_relu_0." in reported.value.problem.message(), (
        "and not each of their lines"
    )
    with pytest.raises(StageNotFoundError) as reported:
        follow(made, "model.py:99", ())
    assert "lines 1 to " in reported.value.problem.message()
    with pytest.raises(StageNotFoundError) as reported:
        follow(made, "train.py:3", ())
    assert "No file of the capture is called train.py" in reported.value.problem.message()
