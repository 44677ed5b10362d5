"""All files of one export."""

from compiler.model.capture.capture import Capture
from compiler.model.capture.front_ends import DYNAMO, FX, front_end_named
from compiler.model.edits.edits import Edit, describe_edit, stages_of
from compiler.model.edits.recipe_file import made_recipe, recipe_text
from compiler.model.export.check_file import check_text
from compiler.model.export.edited_graph import EditedGraph
from compiler.model.export.edited_inductor_graph import EditedInductorGraph
from compiler.model.export.pass_file import pass_file
from compiler.model.export.python_text import ExportError
from compiler.model.export.traced_file import traced_check, traced_file
from compiler.model.timing.verdicts import Verdict


def exported_files(
    name: str,
    base: Capture,
    result: Capture,
    edits: tuple[Edit, ...],
    graphs: tuple[EditedGraph, ...],
    verdict: Verdict | None,
    units: tuple[EditedInductorGraph, ...] = (),
) -> dict[str, str]:
    """File name → text: the passes, their test, and the recipe for ``loupe edit``.

    `base` is what was captured, `result` the recompile with these edits, `graphs` what they did to each graph, `units` to
    the code of each. Raises ExportError where an edit cannot be written as code.
    """
    if not name.isidentifier():
        raise ExportError(f"{name!r} is no name for a Python module.")
    if not edits:
        raise ExportError("There are no edits to export.")
    if base.spec.front_end not in (DYNAMO, FX):
        title = front_end_named(base.spec.front_end).title
        raise ExportError(
            f"Edits of what {title} made are not written as code; the session file keeps them, and loupe edit makes them."
        )
    done = {row.stage for row in graphs} | {stage for unit in units for stage in unit.stages}
    left = [edit for edit in edits if not done.issuperset(stages_of(edit))]
    if left:
        raise ExportError(
            f"{describe_edit(left[0])}: this kind of edit cannot be written as code that needs torch only. Leave it out, or keep "
            "it in the session file."
        )
    if base.spec.front_end == FX:
        return {
            f"{name}.py": traced_file(name, base, graphs[0], edits),
            f"test_{name}.py": traced_check(name, base, verdict),
            f"{name}.json": recipe_text(made_recipe(edits, base)),
        }
    return {
        f"{name}.py": pass_file(name, base, graphs, edits, units),
        f"test_{name}.py": check_text(name, base, result, graphs, verdict, units),
        f"{name}.json": recipe_text(made_recipe(edits, base)),
    }
