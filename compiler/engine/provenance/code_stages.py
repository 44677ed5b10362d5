"""Which stage shows which code object, and which of its instructions one of Dynamo's is.

Here alone Dynamo's numbers of instructions become Python's. A spot is only told where its origin is certain and stands
where Dynamo said that it stood; what contradicts that is counted as a fault, never linked.
"""

import dis
import types
from collections.abc import Iterator, Mapping

from compiler.engine.records.recorder import CodeId, InstructionLocation, Recorder
from compiler.engine.torch_internals.dynamo.instruction_origins import origins_of
from compiler.model.ir.ids import NodeId, StageId


class CodeStages:
    """The stages of original bytecode of one recorder, and the way from Dynamo's instructions to theirs."""

    def __init__(self, recorder: Recorder, ids: Mapping[CodeId, StageId]) -> None:
        self.ids = ids
        self._recorder = recorder
        self._positions: dict[CodeId, dict[int, dis.Positions | None]] = {}
        self._wrong: dict[CodeId, set[int]] = {}

    def stage(self, code: types.CodeType) -> StageId:
        """The stage of a code object, or nothing."""
        return self.ids.get(id(code), "")

    def instruction(self, location: InstructionLocation) -> tuple[StageId, NodeId] | None:
        """The stage and the id of an instruction, where a stage shows it."""
        if location.code not in self.ids:
            return None
        offset = self.offset(location)
        return None if offset is None else (self.ids[location.code], f"i{offset}")

    def offset(self, location: InstructionLocation) -> int | None:
        """Python's offset of an instruction; None for one that Dynamo added, or that can't be told."""
        origins = self._origins(location.code)
        if isinstance(origins, str) or location.number not in origins:
            return None
        offset = origins[location.number]
        reported = self._recorder.positions.get((location.code, location.number))
        if reported is not None and reported != self._positions_of(location.code)[offset]:
            self._wrong.setdefault(location.code, set()).add(offset)
            return None
        return offset

    def faults(self) -> Iterator[str]:
        """What was left out because it contradicts itself, a sentence for each code object."""
        for key, found in self._recorder.origins.items():
            if isinstance(found, str):
                yield f"links of bytecode of {self._name(key)}: {found}; they are left out"
        for key, offsets in self._wrong.items():
            yield (
                f"links of bytecode of {self._name(key)}: {len(offsets)} of its instructions stand elsewhere "
                "than torch said; their links are left out"
            )

    def _name(self, key: CodeId) -> str:
        code = self._recorder.codes[key]
        return f"{code.co_name} ({code.co_filename}:{code.co_firstlineno})"

    def _origins(self, key: CodeId) -> dict[int, int] | str:
        """Kept with the recorder: a capture is read several times while it is made."""
        known = self._recorder.origins
        if key not in known:
            try:
                known[key] = origins_of(self._recorder.codes[key])
            except Exception as error:  # noqa: BLE001  torch's own code runs here, and one function must not cost the capture
                known[key] = f"{type(error).__name__}: {error}"
        return known[key]

    def _positions_of(self, key: CodeId) -> dict[int, dis.Positions | None]:
        if key not in self._positions:
            listed = dis.get_instructions(self._recorder.codes[key])
            self._positions[key] = {item.offset: item.positions for item in listed}
        return self._positions[key]
