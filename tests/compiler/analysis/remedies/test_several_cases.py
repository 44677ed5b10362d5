"""A choice among several cases as one call of torch.switch: the new text computes what the old one did."""

import ast

import pytest
import torch

from compiler.analysis.remedies import several_cases
from compiler.analysis.remedies.statements import Location, find_spot

HEAD = "import torch\n\n\ndef f(x, k):\n"
CHAINS = {
    "assigned": "    if k == 0:\n        y = x * 2\n    elif k == 1:\n        y = x - 1\n    else:\n        y = x\n    return y\n",
    "returned": "    if k < -1:\n        return x * 2\n    elif k < 1:\n        return x - 1\n    else:\n        return torch.relu(x)\n",
    "added to": "    y = x\n    if k == 0:\n        y += 2\n    elif k == 4:\n        y *= 3\n    else:\n        y = (x +\n             1)\n    return y\n",
    "matched": "    match k:\n        case 0:\n            y = x * 2\n        case 5:\n            y = x - 1\n        case _:\n            y = -x\n    return y\n",
    "four": "    if k == 3:\n        y = x * 2\n    elif k == 2:\n        y = x - 1\n    elif k == 1:\n        y = x.sin()\n    else:\n        y = x\n    return y\n",
}
LEFT_ALONE = {
    "two": "    if k == 0:\n        y = x\n    else:\n        y = x + 1\n    return y\n",
    "no else": "    y = x\n    if k == 0:\n        y = x * 2\n    elif k == 1:\n        y = x - 1\n    return y\n",
    "other names": "    if k == 0:\n        y = x\n    elif k == 1:\n        z = x\n    else:\n        y = x\n    return y\n",
    "two statements": "    if k == 0:\n        y = x\n        x = y\n    elif k == 1:\n        y = x\n    else:\n        y = x\n    return y\n",
    "and": "    if k == 0 and x.sum() > 0:\n        y = x\n    elif k == 1:\n        y = -x\n    else:\n        y = x + 1\n    return y\n",
    "between": "    if 0 < k < 2:\n        y = x\n    elif k == 1:\n        y = -x\n    else:\n        y = x + 1\n    return y\n",
    "guarded": "    match k:\n        case 0 if x.sum() > 0:\n            y = x\n        case 1:\n            y = -x\n        case _:\n            y = x + 1\n    return y\n",
    "captured": "    match k:\n        case 0:\n            y = x\n        case 1:\n            y = -x\n        case other:\n            y = x + other\n    return y\n",
}


def location_in(text: str, line: int = 5) -> Location:
    location = find_spot(text, line)
    assert location is not None
    return location


def first_of(body: str) -> int:
    rows = (HEAD + body).split("\n")
    return next(at for at, row in enumerate(rows, 1) if row.strip().startswith(("if ", "match ")))


def call(text: str, x: torch.Tensor, k: torch.Tensor, monkeypatch: pytest.MonkeyPatch) -> torch.Tensor:
    """As every torch would: where there is no switch, one that does what its documentation says."""

    def chosen(index: torch.Tensor, branches: tuple, operands: tuple = ()) -> object:  # type: ignore[type-arg]
        return branches[min(max(int(index), 0), len(branches) - 1)](*operands)

    monkeypatch.setattr(torch._higher_order_ops, "switch", chosen, raising=False)
    scope: dict[str, object] = {}
    exec(compile(text, "<test>", "exec"), scope)
    result = scope["f"](x, k)  # type: ignore[operator]
    assert isinstance(result, torch.Tensor)
    return result


@pytest.mark.parametrize("body", CHAINS.values(), ids=CHAINS)
def test_cases_become_a_switch(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + body
    new = several_cases.branches_as_switch(location_in(text, first_of(body)))
    assert new is not None
    assert "torch._higher_order_ops.switch(" in new
    x = torch.randn(3)
    for k in (-3, -1, 0, 1, 2, 3, 4, 5, 9):
        index = torch.tensor(k)
        assert torch.equal(call(new, x, index, monkeypatch), call(text, x, index, monkeypatch)), k


@pytest.mark.parametrize("body", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_other_choices_are_left_alone(body: str) -> None:
    text = HEAD + body
    assert several_cases.branches_as_switch(location_in(text, first_of(body))) is None


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("y = net[k](x)", "y = torch._higher_order_ops.switch(k, tuple(net), (x,))"),
        ("y = net[k.item()](x, z) + 1", "y = torch._higher_order_ops.switch(k, tuple(net), (x, z)) + 1"),
        ("return self.experts[int(k)](x)", "return torch._higher_order_ops.switch(k, tuple(self.experts), (x,))"),
        ("y = net[0](x)", None),
        ("y = net[k](x, scale=2)", None),
        ("y = net[k](*x)", None),
        ("y = net[k](x) + net[j](x)", None),
        ("y = (a or b)[k](x)", None),
    ],
)  # fmt: skip
def test_an_index_into_modules_becomes_a_switch(line: str, wanted: str | None) -> None:
    text = f"{HEAD}    {line}\n"
    new = several_cases.index_as_switch(location_in(text))
    assert new == (None if wanted is None else f"{HEAD}    {wanted}\n")
    if new is not None:
        ast.parse(new)
