"""The questions the window asks before something is run, lost or replaced."""

import hashlib
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.actions.selection_queries import PickedLoops
from app.session.edit_builders.fusion import why_unfused_reasons
from app.session.edit_builders.fusion_traffic_text import saves_text, would_save_text
from app.session.files.graph_export import ENDINGS
from app.translation.texts import tr
from compiler.analysis.batch.batch_folder import LIST
from compiler.analysis.session_file.trusted_files import is_trusted, remember
from compiler.analysis.text_format.visible_text import visible_line
from compiler.analysis.tours.tour import Tour
from compiler.model.capture.config_inputs import CONFIG
from compiler.model.capture.front_ends import SAVED

_Button = QMessageBox.StandardButton


def why_unfused(picked: PickedLoops, parent: QWidget) -> bool:
    """Say why two nodes are in kernels of their own; whether the person wants them fused."""
    first, second = (" + ".join(group) for group in picked.groups)
    saved = would_save_text(picked.fused, picked.groups)
    box = QMessageBox(QMessageBox.Icon.Information, tr("Why not fused?"), "", parent=parent)
    box.setText(tr("Why {first} and {second} are not in one kernel").format(first=first, second=second))
    box.setInformativeText("\n".join((*why_unfused_reasons(picked.fused, picked.groups), "", saved)))
    ask = box.addButton(tr("Ask to fuse them"), QMessageBox.ButtonRole.ActionRole)
    box.addButton(_Button.Close)
    box.exec()
    return box.clickedButton() is ask


def why_together(picked: PickedLoops, parent: QWidget) -> None:
    """Say what it saves that two nodes are in one kernel."""
    first, second = picked.nodes[0], picked.nodes[-1]
    box = QMessageBox(QMessageBox.Icon.Information, tr("Why fused?"), "", parent=parent)
    box.setText(tr("{first} and {second} are in one kernel").format(first=first, second=second))
    box.setInformativeText(saves_text(picked.steps, first, second))
    box.addButton(_Button.Close)
    box.exec()


def before_losing_edits(parent: QWidget) -> str:
    """``save``, ``discard`` or ``cancel``."""
    box = QMessageBox(
        QMessageBox.Icon.Question,
        tr("Unsaved edits"),
        "",
        _Button.Save | _Button.Discard | _Button.Cancel,
        parent,
    )
    box.setText(tr("There are edits, or changes that you kept, which no file holds."))
    box.setInformativeText(tr("Save them to a session file?"))
    answer = box.exec()
    return {_Button.Save: "save", _Button.Discard: "discard"}.get(_Button(answer), "cancel")


def file_to_open(parent: QWidget) -> Path | None:
    """A session file, a Python file, a program that torch.export saved, a log of torch's, or the list of a batch, to open."""
    kinds = tr(
        "Models, sessions, logs, batches (*.py *{config} *.loupe *{saved} *.log *.log.gz {batch})"
    ).format(config=CONFIG, saved=SAVED, batch=LIST)
    name, _ = QFileDialog.getOpenFileName(parent, tr("Open file"), "", kinds)
    return Path(name) if name else None


def may_start_tour(tour: Tour, parent: QWidget) -> bool:
    """Whether the program that a tour from elsewhere names may be run."""
    box = QMessageBox(QMessageBox.Icon.Warning, tr("Run the tour's program?"), "", parent=parent)
    box.setText(
        tr("The tour {visible_line} runs {visible_line2}").format(
            visible_line=visible_line(str(tour.path)), visible_line2=visible_line(tour.target)
        )
    )
    box.setInformativeText(
        tr("from the folder {visible_line}. Run it only if you trust where both come from.").format(
            visible_line=visible_line(tour.folder)
        )
    )
    run = box.addButton(tr("Run it"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(_Button.Cancel))
    box.exec()
    return box.clickedButton() is run


def tour_to_open(parent: QWidget) -> Path | None:
    """A tour's file."""
    name, _ = QFileDialog.getOpenFileName(parent, tr("Open a tour"), "", tr("Tours (*.toml)"))
    return Path(name) if name else None


def torchs_record(parent: QWidget) -> Path | None:
    """A file of torch's cache folder that says which matrix products it padded."""
    name, _ = QFileDialog.getOpenFileName(
        parent, tr("Torch's record of a GPU: a file of the folder cache in its cache folder")
    )
    return Path(name) if name else None


def may_load_saved(path: Path, parent: QWidget) -> bool:
    """Whether torch may load what torch.export saved, in which pickles and formulas are executed. Asked once for a file."""
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return True  # there is nothing to load, which is reported
    if is_trusted(digest):
        return True
    box = QMessageBox(QMessageBox.Icon.Warning, tr("Trust this file?"), "", parent=parent)
    box.setText(
        tr("torch can run code while it loads {visible_line}").format(visible_line=visible_line(str(path)))
    )
    box.setInformativeText(
        tr("Load it only if you trust where it comes from. You are asked once for each file.")
    )
    load = box.addButton(tr("Trust and load"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(_Button.Cancel))
    box.exec()
    if box.clickedButton() is not load:
        return False
    remember(digest)
    return True


def file_to_save(parent: QWidget, proposed: str) -> Path | None:
    """Where to save; the ending is added where it is missing."""
    name, _ = QFileDialog.getSaveFileName(
        parent, tr("Save session"), proposed, tr("Torch Loupe sessions (*.loupe)")
    )
    if not name:
        return None
    return Path(name) if name.endswith(".loupe") else Path(f"{name}.loupe")


def file_for_graph(parent: QWidget, proposed: str) -> Path | None:
    """Where to write a graph; the kind chosen decides the ending where none is typed."""
    kinds = {tr(text): ending for ending, text in ENDINGS.items()}
    name, kind = QFileDialog.getSaveFileName(parent, tr("Export graph"), proposed, ";;".join(kinds))
    if not name:
        return None
    path = Path(name)
    if path.suffix in ENDINGS:
        return path
    return Path(f"{name}{kinds.get(kind, next(iter(ENDINGS)))}")  # not every desktop's dialog says which


def what_to_share(parent: QWidget) -> bool | None:
    """Whether a page to share is to hide the code; None for no page."""
    box = QMessageBox(QMessageBox.Icon.Question, tr("Share as HTML"), "", parent=parent)
    box.setText(
        tr("Who gets the page sees the program as it was captured: its source and all that was made of it.")
    )
    box.setInformativeText(
        tr(
            "Without code it has no text of the program and no name that you gave; operators, types, links, the kinds of breaks and "
            "times stay. Either way it is one file that loads nothing and sends nothing."
        )
    )
    whole = box.addButton(tr("With code…"), QMessageBox.ButtonRole.AcceptRole)
    hidden = box.addButton(tr("Without code…"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(_Button.Cancel)
    box.exec()
    if box.clickedButton() is whole:
        return False
    return True if box.clickedButton() is hidden else None


def file_for_page(parent: QWidget) -> Path | None:
    """Where to write a page; the ending is added where it is missing."""
    name, _ = QFileDialog.getSaveFileName(
        parent, tr("Share as HTML"), "capture.html", tr("Web pages (*.html)")
    )
    if not name:
        return None
    return Path(name) if name.endswith((".html", ".htm")) else Path(f"{name}.html")


def file_to_export(parent: QWidget) -> Path | None:
    """Where to write edits as code: a Python file whose name can be imported."""
    while True:
        name, _ = QFileDialog.getSaveFileName(
            parent, tr("Export edits as code"), "edited_graphs.py", tr("Python files (*.py)")
        )
        if not name:
            return None
        path = Path(name).with_suffix(".py")
        if path.stem.isidentifier():
            return path
        QMessageBox.information(
            parent,
            tr("Export edits as code"),
            tr("{stem!r} cannot be imported. Use letters and _.").format(stem=path.stem),
        )
