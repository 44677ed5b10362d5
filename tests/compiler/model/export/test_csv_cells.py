"""No cell of a table is a formula, whatever a program printed before it died."""

import csv
import io

import pytest

from compiler.analysis.batch.batch_table import csv_of
from compiler.model.batch.jobs import JobKey
from compiler.model.batch.rows import Cause, Row


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1+cmd", "@SUM(1)", "\t=1", "\r=1"])
def test_a_spreadsheet_shows_it_as_text(text: str) -> None:
    row = Row("job", JobKey("model.py:Net", "cpu", "2.13", "default"), Cause.CRASHED, text)
    (cells,) = csv.DictReader(io.StringIO(csv_of([row]), newline=""))
    assert cells["what"] == f"'{text}"
    assert cells["program"] == "model.py:Net"
