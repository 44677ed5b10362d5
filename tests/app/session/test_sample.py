from compiler.model.session_file.checks import check_capture
from tests.helpers import sample_capture


def test_the_sample_capture_is_sound() -> None:
    assert list(check_capture(sample_capture.capture())) == []
