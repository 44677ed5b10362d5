"""Dynamo's instructions are told to be Python's by what they are, not by where they stand: on functions nobody wrote for us."""

import contextlib
import dis
import functools
import sysconfig
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.engine
torch = pytest.importorskip("torch")

from torch._dynamo import bytecode_transformation  # noqa: E402

from compiler.engine.provenance.code_stages import CodeStages  # noqa: E402
from compiler.engine.records.recorder import InstructionLocation, Recorder  # noqa: E402
from compiler.engine.torch_internals.dynamo.instruction_origins import origins_of  # noqa: E402

_STANDARD = Path(sysconfig.get_path("stdlib"))
_LARGEST = 100_000
"""Bytes of a file: torch's own checks take long on tables written as functions."""


@functools.cache
def _files() -> list[Path]:
    """20,000, looked for when they are wanted: every process of the tests loads this module."""
    return sorted(
        path
        for folder in (_STANDARD, Path(sysconfig.get_path("purelib")))
        for path in folder.rglob("*.py")
        if not {"test", "tests", "lib2to3", "idlelib"} & set(path.relative_to(folder).parts)
        and path.stat().st_size < _LARGEST
    )


_FAILING = """
def is_none(x, y=None):
    if y is not None:
        x = x + y
    return torch.relu(x)

class Inner:
    def no_arguments(self):
        return super().forward(self[1:2])

def long_jump(x, big):
    if big:
{body}
    return x
""".format(body="        x = torch.sin(x) + torch.cos(x)\n" * 20)


def _functions(code: types.CodeType) -> Iterator[types.CodeType]:
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            yield item
            yield from _functions(item)


def _compiled(text: str | bytes, name: str) -> Iterator[types.CodeType]:
    with warnings.catch_warnings(), contextlib.suppress(SyntaxError, ValueError):
        warnings.simplefilter("ignore")
        yield from _functions(compile(text, name, "exec", dont_inherit=True))


def _noted_while_made(code: types.CodeType) -> dict[int, int | None]:
    """Dynamo's offset → Python's, by the objects themselves: each is noted where Dynamo makes it of Python's, and Dynamo
    keeps it or puts new ones right behind it.
    """
    noted: dict[Any, int] = {}
    convert = bytecode_transformation.convert_instruction

    def noting(item: dis.Instruction) -> Any:
        made = convert(item)
        noted[made] = item.offset
        return made

    bytecode_transformation.convert_instruction = noting
    try:
        kept = bytecode_transformation._cached_cleaned_instructions.__wrapped__(code, False)
    finally:
        bytecode_transformation.convert_instruction = convert
    found: dict[int, int | None] = {}
    last = None
    for instruction in kept:
        last = noted.get(instruction, last)
        found[instruction.offset] = last if instruction.positions is not None else None
    return found


def _check(code: types.CodeType) -> None:
    try:
        noted = _noted_while_made(code)
    except AssertionError:  # torch's own: it would not trace this function
        return
    origins = origins_of(code)
    assert origins == {number: offset for number, offset in noted.items() if offset is not None}
    listed = {item.offset: item for item in dis.get_instructions(code)}
    made = {item.offset: item for item in bytecode_transformation.cleaned_instructions(code)}
    for number, offset in origins.items():
        assert made[number].positions == listed[offset].positions
    left = set(listed) - set(origins.values())
    assert all(listed[offset].opcode == dis.EXTENDED_ARG for offset in left)
    assert list(origins.values()) == sorted(origins.values())


def test_what_used_to_shift() -> None:
    shifted = set()
    for code in _compiled(_FAILING, "shifting.py"):
        _check(code)
        if any(number != offset for number, offset in origins_of(code).items()):
            shifted.add(code.co_name)
    assert shifted == {"is_none", "no_arguments", "long_jump"}


@pytest.mark.thorough
@settings(max_examples=8)
@given(st.deferred(lambda: st.sampled_from(_files())))
@example(_STANDARD / "dataclasses.py")
def test_functions_of_the_standard_library_and_of_packages(path: Path) -> None:
    for code in _compiled(path.read_bytes(), str(path)):
        _check(code)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_functions_of_the_standard_library_and_of_packages() -> None:
    for path in _files()[::40]:
        for code in _compiled(path.read_bytes(), str(path)):
            _check(code)


def _stages(code: types.CodeType) -> tuple[Recorder, CodeStages]:
    recorder = Recorder()
    stages = CodeStages(recorder, {recorder.keep_code(code): "bytecode:f"})
    for item in bytecode_transformation.cleaned_instructions(code):
        recorder.positions[id(code), item.offset] = item.positions
    return recorder, stages


def test_an_instruction_that_stands_elsewhere_than_torch_said_is_a_fault_and_no_link() -> None:
    code = next(_compiled(_FAILING, "shifting.py"))
    recorder, stages = _stages(code)
    locations = [InstructionLocation(id(code), number) for number in origins_of(code)]
    assert all(stages.instruction(location) for location in locations)
    assert not list(stages.faults())
    wrong = next(
        location for location in locations if recorder.positions[id(code), location.number].lineno == 4
    )
    recorder.positions[id(code), wrong.number] = dis.Positions(5, 5, 4, 9)
    assert stages.instruction(wrong) is None
    (fault,) = stages.faults()
    assert "1 of its instructions" in fault
    assert "shifting.py" in fault


def test_bytecode_that_torch_changes_in_another_way_is_a_fault_and_no_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = next(_compiled(_FAILING, "shifting.py"))
    made = bytecode_transformation.cleaned_instructions
    monkeypatch.setattr(bytecode_transformation, "cleaned_instructions", lambda code: made(code)[1:])
    _, stages = _stages(code)
    assert stages.instruction(InstructionLocation(id(code), 4)) is None
    assert len(list(stages.faults())) == 1
