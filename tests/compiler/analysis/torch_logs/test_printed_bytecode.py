"""What `dis` prints is read as what it lists: all code of two modules on the Python that runs, and recorded rows of others."""

import contextlib
import dataclasses
import dis
import inspect
import sys
import types
from collections.abc import Iterator

import pytest

from compiler.analysis.text_format.printer import program
from compiler.analysis.torch_logs.printed.printed_bytecode import read_bytecode
from compiler.model.ir.programs import CodeObject, Instruction
from compiler.model.ir.stage import BytecodeStage, Stage, StageKind

_JUMPS = {*dis.hasjrel, *dis.hasjabs}

OF_3_12 = """\
              0 COPY_FREE_VARS           1

 10           2 RESUME                   0

 11           4 LOAD_FAST                0 (x)
              6 POP_JUMP_IF_FALSE        3 (to 14)

 12           8 NOP
             10 NOP
             12 RETURN_CONST             0 (None)

 13     >>   14 RETURN_CONST             1 ('to 12')
        >>   16 PUSH_EXC_INFO
ExceptionTable:
  8 to 10 -> 16 [0]
  16 to 16 -> 16 [1] lasti
"""
OF_3_13 = """\
  --           COPY_FREE_VARS           1

  10           RESUME                   0

  11           LOAD_FAST                0 (x)
               POP_JUMP_IF_FALSE        3 (to L3)

  12   L1:     NOP
       L2:     NOP
               RETURN_CONST             0 (None)

  13   L3:     RETURN_CONST             1 ('to L1')

  --   L4:     PUSH_EXC_INFO
ExceptionTable:
  L1 to L2 -> L4 [0]
  L4 to L4 -> L4 [1] lasti
"""


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from codes(inner)


def line_reported(item: dis.Instruction, before: int | None) -> int | None:
    """The line that the listing says: up to Python 3.12 it does not say where an instruction is of none."""
    if sys.version_info >= (3, 13):
        return (item.positions and item.positions.lineno) or None
    return item.starts_line or before


@pytest.mark.parametrize("module", [contextlib, dataclasses])
def test_each_function_is_read_as_this_python_lists_it(module: types.ModuleType) -> None:
    for code in codes(compile(inspect.getsource(module), module.__name__, "exec")):
        found, line = read_bytecode(dis.Bytecode(code).dis()), None
        listed = list(dis.get_instructions(code))
        assert [row.opname for row in found] == [item.opname for item in listed], code
        reached = {row.place: item.offset for row, item in zip(found, listed, strict=True) if row.place}
        for row, item in zip(found, listed, strict=True):
            line = line_reported(item, line)
            assert row.line == line, (code, item)
            assert row.offset in (None, item.offset)
            assert row.jump_target == item.is_jump_target, (code, item)
            if item.opcode in _JUMPS:
                assert reached[row.argument.removeprefix("to ")] == item.argval, (code, item)


@pytest.mark.parametrize("text", [OF_3_12, OF_3_13])
def test_both_ways_of_printing_say_the_same(text: str) -> None:
    rows = read_bytecode(text)
    assert [row.opname for row in rows] == [
        "COPY_FREE_VARS",
        "RESUME",
        "LOAD_FAST",
        "POP_JUMP_IF_FALSE",
        "NOP",
        "NOP",
        "RETURN_CONST",
        "RETURN_CONST",
        "PUSH_EXC_INFO",
    ]
    assert [row.line for row in rows[:8]] == [None, 10, 11, 11, 12, 12, 12, 13]
    assert [index for index, row in enumerate(rows) if row.jump_target] == [7]
    assert rows[3].argument == f"to {rows[7].place}"
    assert len({row.id for row in rows}) == len(rows)


def test_an_offset_that_is_not_printed_is_not_made_up() -> None:
    rows = read_bytecode(OF_3_13)
    assert {row.offset for row in rows} == {None}
    assert [row.label for row in rows if row.label] == ["L1", "L2", "L3", "L4"]
    assert rows[8].line is None


def test_a_listing_shows_the_label_that_a_jump_names() -> None:
    code = CodeObject("f", "f.py", 10, (Instruction("i0", None, "NOP", "", label="L3"),))
    text = program(Stage("b", StageKind.BYTECODE, "Bytecode of f", BytecodeStage(code)))
    assert any(line.split() == ["L3", "NOP"] for line in text.text.split("\n"))
