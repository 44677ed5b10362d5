"""Tours are data: what is wrong in a file is said, and nothing of it can do more than walk through the window."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.actions.action_set import ALL_ROWS
from app.actions.workspace_table import WORKSPACES
from app.window.pane_table import PANES
from compiler.analysis.tours.tour import LANGUAGES
from compiler.analysis.tours.tour_file import (
    ORDER,
    SHIPPED,
    TourError,
    as_text,
    find_tour,
    find_tours,
    read_tour,
)
from tests.helpers.thoroughness import examples

WHOLE = 'title = "T"\nprogram = "m.py:M"\n[[step]]\ntext = "Look."\n'
PLACES = {"result", "workspaces", "panes", "toolbar", "", *(pane.id for pane in PANES)}


def written(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_those_that_are_shipped_are_the_files_that_are_there() -> None:
    assert {path.stem for path in SHIPPED.glob("*.toml")} == set(ORDER)
    assert len(find_tours()) == 7


@pytest.mark.parametrize("name", ORDER)
def test_a_shipped_tour_names_what_there_is(name: str) -> None:
    tour = find_tour(name)
    assert tour.shipped
    assert tour.languages == tuple(LANGUAGES), "a text is missing in a language"
    assert Path(tour.folder, tour.target.partition(":")[0]).is_file()
    actions = {row.id for row in ALL_ROWS}
    for step in tour.steps:
        assert step.title
        assert {step.point, step.pane} <= PLACES
        assert step.workspace in {"", *(workspace.id for workspace in WORKSPACES)}
        assert not step.action or step.action in actions
        if step.goal is not None and step.goal.kind == "pane":
            assert step.goal.value in PLACES
        if step.goal is not None and step.goal.kind == "edits" and step.goal.value:
            assert step.action, "nobody can be shown how"


def test_one_of_your_own_is_not_taken_for_a_shipped_one(tmp_path: Path) -> None:
    tour = read_tour(written(tmp_path, WHOLE))
    assert not tour.shipped
    assert (tour.name, tour.folder, tour.languages) == ("own", str(tmp_path), ("en",))
    assert tour.steps[0].goal is None
    assert "Look." in as_text(tour, "zh")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no [[step]]"),
        ("x = [", "not TOML"),
        (WHOLE.replace('title = "T"\n', ""), "title"),
        (WHOLE.replace('program = "m.py:M"\n', ""), "names no program"),
        (WHOLE + 'colour = "red"\n', "colour"),
        (WHOLE + 'action = "file.quit"\n', "file.quit"),
        (WHOLE + 'action = "engine.restart"\n', "engine.restart"),
        (WHOLE + 'until = { delete = "all" }\n', "delete"),
        (WHOLE + "until = { line = true }\n", "no int"),
        (WHOLE + 'until = { stage = "nowhere" }\n', "nowhere"),
        (WHOLE + "until = { line = 1, pane = 'code' }\n", "not one thing"),
        (WHOLE + "line = -1\n", "number of a line"),
        (WHOLE.replace('text = "Look."', 'text = { fr = "Voir." }'), "fr"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(TourError, match=r"own\.toml") as error:
        read_tour(path)
    assert said in str(error.value)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(TourError, match="There are: compile"):
        find_tour("everything")
    with pytest.raises(TourError, match="cannot be read"):
        find_tour(str(tmp_path / "none.toml"))


@settings(max_examples=examples(200), deadline=None)
@given(st.text(max_size=200) | st.text(alphabet='[]{}="\\n stepuntilx', max_size=200))
def test_any_text_is_a_tour_or_is_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = written(
        tmp_path_factory.mktemp("t"), WHOLE + text.replace("\r", "").encode("utf-8", "ignore").decode()
    )
    try:
        tour = read_tour(path)
    except TourError:
        return
    assert tour.steps
