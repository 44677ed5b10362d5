"""The capture shown as one HTML file."""

from pathlib import Path

import pytest

from app.session.facade.session import Session
from app.session.files.page_sharing import PageSharing, shared_data
from compiler.model.ir.diagnostics import Problem, Severity
from tests.helpers import sample_capture


@pytest.fixture
def reported() -> list[Problem]:
    return []


@pytest.fixture
def sharing(reported: list[Problem], open_session: Session) -> PageSharing:
    return PageSharing(reported.append, open_session)


def test_the_page_is_of_what_is_shown_and_says_whether_its_code_is_in_it(
    open_session: Session, sharing: PageSharing, reported: list[Problem], tmp_path: Path
) -> None:
    assert open_session.capture is not None
    data = shared_data(open_session.capture, sample_capture.verdict(), None)
    assert data.captures == (open_session.capture,)
    sharing.write(data, tmp_path / "whole.html", False)
    sharing.write(data, tmp_path / "hidden.html", True)
    sharing.wait()
    line = "z = torch.relu(y)"
    assert line in (tmp_path / "whole.html").read_text()
    assert line not in (tmp_path / "hidden.html").read_text()
    assert sample_capture.verdict().summary in (tmp_path / "whole.html").read_text()
    assert [problem.severity for problem in reported] == [Severity.NOTE, Severity.NOTE]
    assert "with its code" in reported[0].what
    assert "without its code" in reported[1].what


def test_what_cannot_be_written_is_reported(
    open_session: Session, sharing: PageSharing, reported: list[Problem], tmp_path: Path
) -> None:
    assert open_session.capture is not None
    sharing.write(shared_data(open_session.capture, None, None), tmp_path / "none" / "page.html", False)
    sharing.wait()
    assert "cannot be written: No such file" in reported[0].what
