"""Reader: which instruction of a code object each of Dynamo's was made from.

Dynamo numbers instructions after it changed them: it strips EXTENDED_ARG, takes jumps on None, slices and fused loads
apart, spells ``super()`` out. So its offsets are not Python's. But each of its instructions holds the very
``dis.Positions`` object of the one it was made from, through every copy: instructions with the same object are one of
Python's, and one without is Dynamo's own.
"""

import dis
import types
from typing import Any

from compiler.engine.torch_internals.patch.patching import find

GIVES = "links of bytecode"
NEEDS = ("torch._dynamo.bytecode_transformation:cleaned_instructions",)


def origins_of(code: types.CodeType) -> dict[int, int]:
    """Dynamo's offset → Python's. Raises ValueError where Dynamo's instructions can't be told to be Python's."""
    cleaned_instructions: Any = getattr(*find(NEEDS[0]))
    own = [item for item in dis.get_instructions(code) if item.opcode != dis.EXTENDED_ARG]
    made: list[list[Any]] = []
    for instruction in cleaned_instructions(code):
        if instruction.positions is None:
            continue
        if made and made[-1][0].positions is instruction.positions:
            made[-1].append(instruction)
        else:
            made.append([instruction])
    if len(own) != len(made):
        raise ValueError(f"Dynamo made {len(made)} of its {len(own)} instructions")
    for item, found in zip(own, made, strict=True):
        if found[0].positions != item.positions or (len(found) == 1 and found[0].opname != item.opname):
            raise ValueError(f"Dynamo made {found[0].opname} of {item.opname} at {item.offset}")
    return {
        instruction.offset: item.offset
        for item, found in zip(own, made, strict=True)
        for instruction in found
    }
