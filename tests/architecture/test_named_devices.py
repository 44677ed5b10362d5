"""Tensors that judge a program lie where they are said to, whatever device the program makes the default."""

import ast
from collections.abc import Iterator

import pytest

from tests.helpers.our_sources import ROOT, trees

ENGINE = ROOT / "compiler" / "engine"
FACTORIES = frozenset({
    "arange", "empty", "empty_strided", "eye", "full", "linspace", "normal", "ones", "rand", "randint", "randn", "randperm",
    "scalar_tensor", "tensor", "zeros",
})  # fmt: skip
AS_THE_PROGRAM_SAYS = frozenset({
    "cross_compile/attention_reference.py",  # torch's own operators, written out
    "experiments/backend_smoke_test.py",  # in a process of its own
    "front_ends/torchscript/graph_import.py",  # a size in bytes
    "operators",  # arguments as a person would write them
    "torch_internals/fake_gpu/driver/generators.py",  # torch's own operators
    "user_program/default_inputs.py",  # inputs of the program
    "user_program/of_transformers/config_program.py",
})  # fmt: skip


def _unnamed(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of_torch = isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
        if (
            of_torch
            and node.func.attr in FACTORIES
            and not {None, "device"} & {key.arg for key in node.keywords}
        ):
            yield node.lineno


def test_what_the_engine_makes_names_its_device() -> None:
    """A program with ``torch.set_default_device("cuda")`` was told to fail by itself: noise was drawn there with the CPU's generator."""
    found = [
        f"{name}:{line}"
        for path, tree in trees(("compiler/engine",), "torch")
        if not (name := path.relative_to(ENGINE).as_posix()).startswith(tuple(AS_THE_PROGRAM_SAYS))
        for line in _unnamed(tree)
    ]
    assert not found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("torch.rand(3, generator=g)", [1]),
        ("torch.rand(3, device=g.device)", []),
        ("torch.ones(3, **like)", []),
        ("x.new_ones(3)", []),
    ],
)
def test_such_a_call_is_found(source: str, lines: list[int]) -> None:
    assert list(_unnamed(ast.parse(source))) == lines
