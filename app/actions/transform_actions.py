"""Ready transforms, one row each."""

from app.actions.action_row import ActionRow, Context
from app.actions.selection_queries import editable_graph
from compiler.analysis.transforms import Transform, found_transforms


def _row(transform: Transform) -> ActionRow:
    def run(context: Context) -> None:
        context.shell.editing.transform(transform)

    return ActionRow(
        f"transform.{transform.id}", f"{transform.title}…", run, "", transform.about,
        lambda context: editable_graph(context.session) is not None, menu="Transform", group=transform.group, is_ours=False,
    )  # fmt: skip


ROWS = tuple(_row(transform) for transform in found_transforms().rows)
