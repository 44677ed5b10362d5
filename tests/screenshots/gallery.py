"""Every workspace of a session file, and every step of every tour, as pictures to be looked at one by one.

Usage: python -m tests.screenshots.gallery FOLDER [FILE.loupe…] [--sizes 1024x700,1280x800] [--looks light,dark] [--tours]

With QT_SCALE_FACTOR=2 the pictures are those of a screen with twice the pixels.
"""

import argparse
import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSize

from app.actions.workspace_table import WORKSPACES
from compiler.analysis.tours.tour_file import ORDER, find_tour
from tests.screenshots.stage_hand import StageHand

_STEP_PATIENCE_S = 120.0


def main() -> None:
    """Take every picture that was asked for."""
    parser = argparse.ArgumentParser(prog="gallery")
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sizes", default="1024x700,1280x800,1600x1000")
    parser.add_argument("--looks", default="light,dark")
    parser.add_argument(
        "--tours", action="store_true", help="walk every tour too, at the first size in each look"
    )
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    sizes = [QSize(*map(int, size.split("x"))) for size in chosen.sizes.split(",")]
    looks = chosen.looks.split(",")
    with tempfile.TemporaryDirectory() as scratch:
        hand = StageHand(Path(scratch))
        try:
            take(hand, "start", [""], sizes, looks, chosen.folder)
            for file in chosen.files:
                before = hand.session.capture
                hand.window.open_path(file.resolve())
                hand.until(lambda before=before: hand.session.capture is not before and not hand.session.busy)  # type: ignore[misc]
                hand.settle()
                take(hand, file.stem, [workspace.id for workspace in WORKSPACES], sizes, looks, chosen.folder)
            if chosen.tours:
                hand.window.resize(sizes[0])
                for look in looks:
                    hand.window.set_look(look)
                    for name in ORDER:
                        walk(hand, name, look, chosen.folder)
        finally:
            hand.close()


def take(
    hand: StageHand, name: str, workspaces: list[str], sizes: list[QSize], looks: list[str], folder: Path
) -> None:
    """Each workspace ("" for what stands there) at each size in each look."""
    for look in looks:
        hand.window.set_look(look)
        for size in sizes:
            hand.window.resize(size)
            for workspace in workspaces:
                if workspace:
                    hand.window.show_workspace(workspace)
                hand.picture(folder / f"{name}-{workspace}-{size.width()}-{look}.png")
    hand.window.set_look("light")


def walk(hand: StageHand, name: str, look: str, folder: Path) -> None:
    """One picture a step of a tour, before and after it is done."""
    guide = hand.window.tours
    hand.window.start_tour(find_tour(name))
    hand.until(lambda: guide.number == 0)
    while guide.tour is not None:
        number = guide.number
        hand.picture(folder / f"tour-{name}-{number:02}-{look}.png")
        if not guide.done:
            guide.card.show_button.click()
            hand.until(lambda: guide.done, _STEP_PATIENCE_S)
            hand.session.timings.stop()
            hand.picture(folder / f"tour-{name}-{number:02}-{look}-done.png")
        guide.card.next_button.click()
        hand.until(lambda number=number: guide.tour is None or guide.number != number)  # type: ignore[misc]


if __name__ == "__main__":
    main()
