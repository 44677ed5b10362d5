"""Edits of the source that take breaks away: each gives a program that parses and does the same."""

import ast
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.remedies import source_edits
from compiler.analysis.remedies.statements import Location, find_spot
from compiler.model.capture.program_changes import ReplaceSource, SetConfig
from compiler.model.graph_breaks.remedy import diff_text, with_change
from tests.helpers.finished_process import ran

BRANCHES = {
    "assigned": "    if x.mean() > 0:\n        y = x * 2\n    else:\n        y = x - 1\n    return y\n",
    "without else": "    y = x\n    if x.mean() > 0:\n        y = x * 2  # doubled\n    return y\n",
    "added to": "    y = x\n    if x.mean() > 0:\n        y += 3\n    else:\n        y *= 2\n    return y\n",
    "returned": "    if x.mean() > 0:\n        return x * 2\n    else:\n        return x - 1\n",
    "returned after": "    if x.mean() > 0:\n        return x * 2\n\n    return x - 1\n",
}
HEAD = "import torch\n\n\ndef f(x):\n"


def spot_at(text: str, part: str) -> Location:
    line = next(number for number, row in enumerate(text.split("\n"), 1) if part in row)
    location = find_spot(text, line)
    assert location is not None
    return location


def call(text: str, x: torch.Tensor) -> torch.Tensor:
    scope: dict[str, object] = {}
    exec(compile(text, "<test>", "exec"), scope)
    result = scope["f"](x)  # type: ignore[operator]
    assert isinstance(result, torch.Tensor)
    return result


@pytest.mark.parametrize("body", BRANCHES.values(), ids=BRANCHES)
def test_a_branch_becomes_a_where(body: str) -> None:
    text = HEAD + body
    new = source_edits.branch_as_where(spot_at(text, "if x.mean()"))
    assert new is not None
    assert "if x.mean()" not in new
    for x in (torch.rand(3), -torch.rand(3)):
        assert torch.equal(call(new, x), call(text, x))


@pytest.mark.parametrize("body", BRANCHES.values(), ids=BRANCHES)
def test_a_branch_becomes_a_cond(body: str) -> None:
    text = HEAD + body
    new = source_edits.branch_as_cond(spot_at(text, "if x.mean()"))
    assert new is not None
    ast.parse(new)
    assert "torch.cond(x.mean() > 0, lambda: " in new


@pytest.mark.parametrize(
    "body",
    [
        "    if x.mean() > 0:\n        y = x\n        z = 1\n    else:\n        y = 2\n    return y\n",
        "    if x.mean() > 0:\n        y = x\n    else:\n        z = 2\n    return y\n",
        "    if x.mean() > 0:\n        x.add_(1)\n    return x\n",
        "    if x.a:\n        y = 1\n    elif x.mean() > 0:\n        y = 2\n    return y\n",
    ],
)
def test_other_branches_are_left_alone(body: str) -> None:
    text = HEAD + body
    assert source_edits.branch_as_where(spot_at(text, "x.mean()")) is None


def test_a_print_moves_to_the_end_only_where_it_prints_the_same() -> None:
    text = HEAD + "    x = x + 1\n    print('here', 3)\n    y = x * 2\n    return torch.relu(y)\n"
    new = source_edits.moved_to_end(spot_at(text, "print"))
    assert new.endswith("    result = torch.relu(y)\n    print('here', 3)\n    return result\n")
    later = HEAD + "    print(x)\n    x = x * 2\n    return x\n"
    assert source_edits.moved_to_end(spot_at(later, "print")) is None
    inside = HEAD + "    for i in range(3):\n        print('loop')\n    return x\n"
    assert source_edits.moved_to_end(spot_at(inside, "print")) is None
    last = HEAD + "    losses.append(x.item())\n    return x, None\n"
    assert source_edits.moved_to_end(spot_at(last, "append")) is None, "it is the last already"


def test_a_call_for_eager_mode_only_and_a_call_removed() -> None:
    text = HEAD + "    for i in range(3):\n        print('loop',\n              i)\n    return x\n"
    guarded = source_edits.only_eagerly(spot_at(text, "print"))
    assert guarded is not None
    assert "        if not torch.compiler.is_compiling():\n            print('loop',\n" in guarded
    assert source_edits.without_statement(spot_at(text, "print")) == text.replace(
        "        print('loop',\n              i)\n", "        pass\n"
    )


def test_numbers_go_on_as_tensors() -> None:
    text = HEAD + "    scale = float(x.abs().max()) + x.sum().item()  # é\n    return x * scale\n"
    new = source_edits.without_item(spot_at(text, "scale ="))
    assert new is not None
    assert "scale = x.abs().max().detach() + x.sum().detach()  # é" in new


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("y = 2 * (x.sum() + 1).item()", "y = 2 * (x.sum() + 1).detach()"),
        ("y = float(x.sum().item())", "y = x.sum().detach()"),
        ("y = float(heads) * x.sum().item()", "y = float(heads) * x.sum().detach()"),
        ("y = float(2 * x.sum())", "y = (2 * x.sum()).detach()"),
        ("losses.append(loss.item())", "losses.append(loss.detach())"),
    ],
)
def test_what_was_a_number_keeps_its_value_and_has_no_gradient(line: str, wanted: str) -> None:
    text = HEAD + f"    {line}\n    return x * y\n"
    assert source_edits.without_item(spot_at(text, line)) == text.replace(line, wanted)
    both = HEAD + "    y = float(f(x.item()))\n    return x\n"
    assert source_edits.without_item(spot_at(both, "y =")) is None


def test_a_program_without_its_item_trains_as_before() -> None:
    before = HEAD + "    y = 2 * (x * x).sum().item()\n    return (x * y).sum()\n"
    after = source_edits.without_item(spot_at(before, "y ="))
    gradients = []
    for text in (before, after):
        names: dict[str, Any] = {}
        exec(compile(text, "m.py", "exec"), names)
        x = torch.ones(3, requires_grad=True)
        names["f"](x).backward()
        gradients.append(x.grad)
    assert torch.equal(*gradients)


@pytest.mark.parametrize(
    "line",
    [
        "if x.norm().item() < 1:\n        return x",
        "while float(x.norm()) < 1:\n        x = x * 2",
        "for _ in range(int(x.sum().item())):\n        x = x * 2",
        "y = x if x.sum().item() > 0 else -x",
        "assert x.sum().item() > 0",
        "y = [x for _ in range(n.item())]",
    ],
)
def test_where_python_asks_for_a_number_it_is_not_taken_out(line: str) -> None:
    """A branch on the tensor, or a range of it, breaks as the number did."""
    text = HEAD + f"    {line}\n    return x\n"
    assert source_edits.without_item(spot_at(text, line.splitlines()[0])) is None


def test_a_disabled_function_is_enabled() -> None:
    text = "import torch\n\n@torch.compiler.disable(recursive=False)\ndef f(x):\n    return x\n"
    assert source_edits.without_disable(text, "f") == "import torch\n\ndef f(x):\n    return x\n"
    assert source_edits.without_disable(text, "g") is None


@given(st.integers(1, 20), st.sampled_from(sorted(BRANCHES)))
def test_every_edit_anywhere_gives_a_program_or_nothing(line: int, name: str) -> None:
    text = HEAD + "    print('a')\n    log(x.item())\n" + BRANCHES[name]
    location = find_spot(text, line)
    if location is None:
        return
    for edit in (
        source_edits.branch_as_where,
        source_edits.branch_as_cond,
        source_edits.moved_to_end,
        source_edits.only_eagerly,
        source_edits.without_statement,
        source_edits.without_item,
    ):
        new = edit(location)
        if new is not None:
            ast.parse(new)
            assert new != text


def test_the_diff_is_one_that_patch_takes(tmp_path: Path) -> None:
    text = "one\ntwo\nthree"
    path = tmp_path / "file.py"
    path.write_text(text)
    change = ReplaceSource(str(path), "one\n2\nthree")
    done = ran(["git", "apply", "--unsafe-paths", "-p0", "-"], tmp_path, given=diff_text(change, text))
    assert done.returncode == 0, done.stderr
    assert path.read_text() == "one\n2\nthree"


def test_the_newest_text_of_a_file_counts() -> None:
    setting = SetConfig("torch._dynamo.config.capture_scalar_outputs", value=True)
    first, second = ReplaceSource("a.py", "1", "one"), ReplaceSource("a.py", "2", "two")
    both = ReplaceSource("a.py", "2", "one; two")
    assert with_change(with_change(with_change((), first), setting), second) == (setting, both)
    assert with_change((setting,), setting) == (setting,)
