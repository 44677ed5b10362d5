"""Ready transforms, one row each."""

from app.actions.picked import editable_graph
from app.actions.row import ActionRow, Context
from compiler.model.transforms import TRANSFORMS, Transform


def _row(transform: Transform) -> ActionRow:
    def run(context: Context) -> None:
        context.shell.editing.transform(transform)

    return ActionRow(
        f"transform.{transform.id}", f"{transform.title}…", run, "", transform.about,
        lambda context: editable_graph(context.session) is not None, menu="Transform", group=transform.group,
    )  # fmt: skip


ROWS = tuple(_row(transform) for transform in TRANSFORMS)
