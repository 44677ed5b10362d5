"""Bytecode of frames, before and after Dynamo, where torch logged it."""

from collections.abc import Iterator

from compiler.analysis.torch_logs.printed.printed_bytecode import read_bytecode
from compiler.analysis.torch_logs.records.process_log import CompileLog, Entry
from compiler.model.ir.ids import StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.programs import CodeObject
from compiler.model.ir.stage import BytecodeStage, Stage, StageKind

ORIGINAL, REWRITTEN = "_ORIGINAL_BYTECODE", "_MODIFIED_BYTECODE"
_RESUMES = "torch_dynamo_resume_in_"


class BytecodeReader:
    """Takes compile after compile: a frame that is compiled again has the same bytecode before."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.held: list[tuple[Entry, StageId]] = []
        """(a text, the stage that holds it)."""
        self._seen: dict[tuple[str, str, int], StageId] = {}
        self._ids: set[StageId] = set()

    def take(self, log: CompileLog, path: str, line: int) -> tuple[StageId, StageId]:
        """(original, rewritten) of a compile; empty where torch logged none."""
        original = self._read(log, ORIGINAL, path, line)
        return original, self._read(log, REWRITTEN, path, line, original)

    def _read(self, log: CompileLog, ending: str, path: str, line: int, original: StageId = "") -> StageId:
        entry = next((row for row in reversed(log.entries) if row.name.endswith(ending) and row.text), None)
        if entry is None:
            return ""
        name = entry.name.removesuffix(ending)
        key = (name, path, line)
        if ending == ORIGINAL and key in self._seen:
            self.held.append((entry, self._seen[key]))
            return self._seen[key]
        instructions = read_bytecode(entry.text or "")
        if instructions is None:
            return ""
        resumed = name.removeprefix(_RESUMES).rpartition("_at_")[0] if name.startswith(_RESUMES) else ""
        content = BytecodeStage(
            CodeObject(name, path, line, instructions, resumed if ending == ORIGINAL else "")
        )
        if ending == ORIGINAL:
            stage = self._unused(f"bytecode:{name}@{line}")
            self._seen[key] = stage
            made_by = "CPython's compiler; read by torch/_dynamo/convert_frame.py"
            self._add(
                Stage(stage, StageKind.BYTECODE, f"Bytecode of {name}", content, made_by=made_by), entry
            )
            return stage
        stage = f"{log.id}:rewritten"
        made_by, before = "Dynamo, torch/_dynamo/output_graph.py", (original,) if original else ()
        title = f"Rewritten bytecode of {name}"
        self._add(
            Stage(stage, StageKind.REWRITTEN_BYTECODE, title, content, log.id, "", made_by, before), entry
        )
        return stage

    def _add(self, stage: Stage, entry: Entry) -> None:
        self.stages.append(stage)
        self.held.append((entry, stage.id))

    def _unused(self, wish: StageId) -> StageId:
        name, number = wish, 1
        while name in self._ids:
            number += 1
            name = f"{wish}#{number}"
        self._ids.add(name)
        return name

    def links(self, sources: frozenset[StageId]) -> Iterator[LinkTable]:
        """From the lines of files to the instructions that Python made of them."""
        for stage in self.stages:
            assert isinstance(stage.content, BytecodeStage)
            source = f"source:{stage.content.code.path}"
            if source in sources:
                rows = stage.content.code.instructions
                pairs = tuple((line_id(row.line), row.id) for row in rows if row.line)
                yield LinkTable(source, stage.id, "compiled", "python", pairs)
