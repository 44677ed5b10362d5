"""The page as a text: what is in it, that nothing of a capture breaks out of it, and what hiding the code hides."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData
from compiler.analysis.share.html_page import render, write_page
from compiler.analysis.share.page_data import PageData, page_data
from compiler.analysis.text_format.printer import program
from compiler.installation import HOME, RESOURCES
from compiler.model.capture.capture import Capture
from compiler.model.ir.links import LinkTable
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import KernelTiming, TimedKernel, TimingReport, TimingSummary
from tests.helpers import sample_capture as sample
from tests.helpers.broken_capture import broken_capture
from tests.helpers.large_capture import large_capture
from tests.helpers.recorded_run import recorded_capture
from tests.helpers.triton_capture import triton_capture

HOSTILE = "</script><script>alert(1)</script><!--\u2028\u202e{{data}}"


def renamed(capture: Capture, names: dict[str, str]) -> Capture:
    """The capture with other names in it, wherever they stand."""
    text = msgspec.json.encode(capture).decode()
    for old, new in names.items():
        text = text.replace(old, json.dumps(new, ensure_ascii=False)[1:-1])
    return msgspec.json.decode(text, type=Capture)


def timed() -> TimingReport:
    """As the sample would be timed."""
    kernel = TimedKernel(
        "cpp_fused_mul_relu_0", sample.place(sample.KERNELS, "cpp_fused_mul_relu_0"), "forward", "cpp"
    )
    step, eager = TimingSummary(20_000, 19_000, 22_000, 40), TimingSummary(30_000, 29_000, 33_000, 40)
    return TimingReport(
        "capture-1",
        (KernelTiming(kernel, TimingSummary(812_000, 790_000, 861_000, 40)), KernelTiming(kernel, None)),
        step,
        eager,
        2,
        ratio=PairedRatio(1.5, 1.4, 1.6, 40),
    )


def held(page: str) -> dict[str, object]:
    """The data in a page, read as a browser reads it."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def texts_of(data: PageData) -> str:
    return json.dumps(msgspec.to_builtins(data), ensure_ascii=False)


def test_every_stage_line_and_link_is_there() -> None:
    capture = sample.capture()
    data = page_data(SessionData((capture,)))
    assert [stage.kind for stage in data.stages] == [stage.kind.value for stage in capture.stages]
    assert "\n".join(data.texts[line] for line in data.stages[0].lines) == sample.PROGRAM
    assert sum(len(row.pairs) // 2 for row in data.links) == capture.link_count
    (only,) = data.breaks
    assert (only.where, only.stage, only.line) == ("model.py:6", 0, 6)
    assert "GB0170" in only.title
    assert data.title == "model.py:model"


def test_nothing_is_reported_that_was_not_measured() -> None:
    data = page_data(SessionData((sample.capture(),)))
    assert data.timings is None
    assert data.verdict is None
    assert not any("faster" in text or "slower" in text for text, _ in data.result)


def test_times_come_with_spread_and_count_and_only_of_this_capture() -> None:
    report = timed()
    data = page_data(SessionData((sample.capture(),), timings=(report,)))
    steps, _, kernels = data.timings.tables
    assert [row.cells for row in steps.rows] == [
        ("compiled step", "20.0 µs [19.0–22.0]", "40"),
        ("eager step", "30.0 µs [29.0–33.0]", "40"),
    ]
    (only,) = kernels.rows  # the other was never run
    assert only.cells[3] == "812 µs [790–861]"
    assert only.place is not None
    other = page_data(SessionData((sample.capture("capture-2"),), timings=(report,)))
    assert other.timings is None


def test_the_verdict_is_that_of_the_capture_shown() -> None:
    verdict = sample.verdict()
    data = page_data(SessionData((sample.capture(),), verdicts=(("capture-1", verdict),)))
    assert verdict.summary in data.verdict.sentences
    assert len(data.verdict.tables[0].rows) == len(verdict.comparisons)
    assert page_data(SessionData((sample.capture(),), verdicts=(("capture-9", verdict),))).verdict is None


def test_no_name_breaks_out_of_the_page() -> None:
    hostile = renamed(sample.capture(), {"model": HOSTILE, "l_x_": f"l{HOSTILE}", "relu": f"relu{HOSTILE}"})
    page = render(page_data(SessionData((hostile,))))
    assert len(re.findall("<script", page, re.IGNORECASE)) == 2
    assert len(re.findall("</script", page, re.IGNORECASE)) == 2
    assert "<!--" not in page
    assert not set(page) & {"\u2028", "\u2029", "\u202e"}
    assert "⟨U+202E⟩" in json.dumps(held(page), ensure_ascii=False)
    assert "alert(1)" in json.dumps(held(page))  # it is there, as a text


def test_the_policy_allows_this_script_and_this_style_and_nothing_else() -> None:
    page = render(page_data(SessionData((sample.capture(),))))
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    policy = dict(rule.split(" ", 1) for rule in html.unescape(found[1]).split("; "))
    assert policy.pop("default-src") == "'none'"
    for rule, tag in (("script-src", "script"), ("style-src", "style")):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert policy.pop(rule) == f"'sha256-{digest}'"
    assert set(policy.values()) == {"'none'"}
    assert not re.search(
        r"(src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page.split('id="data"')[0]
    )


def secret_capture() -> Capture:
    """The sample with a word in everything that its author may have named or written."""
    capture = renamed(
        sample.capture(),
        {
            "model": "SECRET", "l_x_": "SECRET_x", "l_w_": "SECRET_w", "primals": "SECRET_primals", "/home/me": "/home/SECRET",
            "cpp_fused_mul_relu_0": "cpp_SECRET", "if z.sum() > 0": "SECRET()", "Dynamo cannot know": "SECRET cannot know",
            "Use torch.cond": "SECRET hint", "relu is slow": "SECRET is slow",
            "aten.mul.Tensor": "SECRET.mul.Tensor",
        },
    )  # fmt: skip
    worse = msgspec.structs.replace(capture.problems[0], severity=sample.Severity.ERROR)
    stop = msgspec.structs.replace(capture.breaks[0], registry_id="", kind="SECRET kind")
    stages = tuple(
        msgspec.structs.replace(
            row, title=f"SECRET {row.title}", made_by="SECRET", made_from=(*row.made_from, "source:SECRET.py")
        )
        for row in capture.stages
    )
    return msgspec.structs.replace(capture, stages=stages, problems=(worse,), breaks=(*capture.breaks, stop))


def test_hidden_code_leaves_no_word_of_the_author() -> None:
    verdict = msgspec.structs.replace(sample.verdict(), summary="SECRET is faster", notes=("SECRET",))
    verdict = msgspec.json.decode(
        msgspec.json.encode(verdict).replace(b"output 0", b"grad of SECRET"), type=type(verdict)
    )
    report = msgspec.json.decode(
        msgspec.json.encode(timed()).replace(b"cpp_fused_mul_relu_0", b"cpp_SECRET"), type=TimingReport
    )
    session = SessionData((secret_capture(),), verdicts=(("capture-1", verdict),), timings=(report,))
    shown, hidden = page_data(session), page_data(session, hide_code=True)
    assert texts_of(shown).count("SECRET") > 30
    assert "SECRET" not in render(hidden)
    assert "SECRET" not in texts_of(hidden)
    for line in filter(str.strip, sample.PROGRAM.split("\n")):
        assert line.strip() not in hidden.texts
    for stage, other in zip(shown.stages, hidden.stages, strict=True):  # what is linked to what stays
        assert len(stage.lines) == len(other.lines)
        assert stage.owners == other.owners
        assert len(stage.boxes) == len(other.boxes)
    assert hidden.links == shown.links
    words = {hidden.texts[box.title] for stage in hidden.stages for box in stage.boxes}
    assert {"relu", "input", "parameter"} & words
    assert hidden.timings is not None
    assert hidden.breaks[0].where == "file 1:6"


def test_a_link_through_a_node_that_nothing_shows_is_kept() -> None:
    base = sample.capture()
    through = (
        LinkTable(sample.SOURCE, sample.FORWARD, "traced", "guess", (("L5", "nowhere"),)),
        LinkTable(sample.FORWARD, sample.LOOPS, "lowered", "guess", (("nowhere", "op0"),)),
        LinkTable("gone", sample.LOOPS, "lowered", "guess", (("nowhere", "op0"),)),
    )
    data = page_data(SessionData((msgspec.structs.replace(base, links=through),)))
    first, second = data.links
    assert first.pairs[1] == second.pairs[0]


@pytest.mark.parametrize("hide", [False, True])
@pytest.mark.parametrize(
    "made",
    [triton_capture, large_capture, recorded_capture, lambda: broken_capture(20, 20), sample.with_passes],
)
def test_captures_of_every_sort_agree_with_themselves(made: Callable[[], Capture], hide: bool) -> None:
    capture = made()
    data = page_data(SessionData((capture,)), hide)
    assert [len(stage.lines) for stage in data.stages] == [
        program(stage).text.count("\n") + 1 for stage in capture.stages
    ]
    assert all(len(stage.lines) == len(stage.owners) for stage in data.stages)
    assert len(data.texts) == len(set(data.texts))
    assert len(held(render(data))["stages"]) == len(capture.stages)


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.mkdir()
    with pytest.raises(OSError):
        write_page(target, SessionData((sample.capture(),)))
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_an_installed_loupe_has_the_files_of_the_page() -> None:
    known = (HOME / "pyproject.toml").read_text(encoding="utf-8").split('"*" = [')[1].split("]")[0]
    for path in (RESOURCES / "share_page").iterdir():
        assert f'"*{path.suffix}"' in known, path
