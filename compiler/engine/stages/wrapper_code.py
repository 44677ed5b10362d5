"""The generated Python module that allocates buffers and calls the kernels."""

from compiler.engine.provenance.link_tables import table
from compiler.engine.records.recorder import RegionRecord, UnitRecord
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.stage_ids import unit_id
from compiler.model.edits.wrapper_edits import fingerprint
from compiler.model.ir.ids import line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import WrapperCode
from compiler.model.ir.stage import Stage, StageKind, WrapperStage


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
