"""The generated Python module that allocates buffers and calls the kernels."""

from compiler.engine.linking import table
from compiler.engine.recording import RegionRecord, UnitRecord
from compiler.engine.stage_ids import unit_id
from compiler.engine.wrapper_reading import read_kernels
from compiler.model.ids import line_id
from compiler.model.loops import WrapperCode
from compiler.model.provenance import LinkTable
from compiler.model.stage import Stage, StageKind, WrapperStage
from compiler.model.wrapper_edits import fingerprint


def make(region: RegionRecord, unit: UnitRecord) -> Stage | None:
    """The stage, or None if Inductor did not get there."""
    if not unit.wrapper_text:
        return None
    return Stage(
        unit_id(region.compile_id, unit.part, "wrapper"),
        StageKind.WRAPPER,
        f"{unit.part.capitalize()} wrapper",
        WrapperStage(
            WrapperCode(
                unit.wrapper_path,
                unit.wrapper_text,
                tuple(unit.memory_plan),
                unit.wrapper_language,
                fingerprint(unit.generated_text or unit.wrapper_text),
            )
        ),
        compile_id=region.compile_id,
        part=unit.part,
        made_by="torch/_inductor/codegen/wrapper.py: PythonWrapperCodegen",
        made_from=(unit_id(region.compile_id, unit.part, "kernels"),),
    )


def link(region: RegionRecord, unit: UnitRecord) -> tuple[LinkTable, ...]:
    """Kernel → the line that calls it."""
    if not unit.wrapper_text:
        return ()
    pairs = [
        (kernel.id, line_id(kernel.call_line))
        for kernel in read_kernels(unit)
        if kernel.call_line is not None
    ]
    source = unit_id(region.compile_id, unit.part, "kernels")
    return table(source, unit_id(region.compile_id, unit.part, "wrapper"), "called", "torch", pairs)
