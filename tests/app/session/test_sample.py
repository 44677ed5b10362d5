from compiler.model.session_file.checks import consistent
from tests.helpers import sample_capture


def test_the_sample_capture_is_sound() -> None:
    assert not consistent(sample_capture.capture())[1]
