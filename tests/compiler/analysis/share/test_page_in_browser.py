"""The page in a real browser: a click lights up what the links lead to, and nothing leaves the machine."""

import http.server
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData
from compiler.analysis.share.html_page import write_page
from compiler.analysis.text_format.printer import program
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.ids import NodeId, StageId, line_id, line_of, place
from compiler.model.ir.links import LinkTable, Provenance
from tests.compiler.analysis.share.test_html_page import HOSTILE, renamed
from tests.helpers import chromium, firefox
from tests.helpers import sample_capture as sample
from tests.helpers.thoroughness import some

LIT_LINES = "[...document.querySelectorAll('#{} .line.lit')].map((row) => Number(row.dataset.line))"
LIT_NODES = "[...document.querySelectorAll('#graph .node.lit title')].map((row) => row.textContent)"
VIEW = "document.querySelector('#graph svg > g').getAttribute('transform')"


Browser = chromium.Browser | firefox.Browser
BROWSERS = {"Chromium": chromium, "Firefox": firefox}


@pytest.fixture(scope="module", params=some(BROWSERS))
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    kind = BROWSERS[request.param]
    if kind.FOUND is None:
        package = "chromium" if kind is chromium else "firefox-esr"
        pytest.skip(f"no {request.param} here: apt-get install {package}")
    with kind.browser(tmp_path_factory.mktemp("profile")) as made:
        yield made


def equal_locations() -> Capture:
    """The sample with links of every kind: one that ends, and the same lines in two forms."""
    base = sample.capture()
    ends = LinkTable(sample.DYNAMO, sample.FUSED, "lowered", "guess", (("y", "op1_op2"),), ends=True)
    same = LinkTable(
        sample.POST_GRAD,
        sample.JOINT,
        "same",
        "name",
        (("relu", "where"), ("mul", "le")),
        equal_locations=True,
    )
    return msgspec.structs.replace(base, links=(*base.links, ends, same))


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Browser:
    return opened(browser, tmp_path, equal_locations())


def opened(browser: Browser, folder: Path, capture: Capture, hide: bool = False) -> Browser:
    write_page(folder / "page.html", SessionData((capture,)), hide)
    browser.open(folder / "page.html")
    return browser


def show(page: Browser, pane: str, stage: StageId) -> None:
    number = next(number for number, row in enumerate(equal_locations().stages) if row.id == stage)
    page.ask(
        f"(() => {{ const one = document.querySelector('#{pane} select'); one.value = '{number}';"
        "one.dispatchEvent(new Event('change')); })()"
    )


def expected(stage: StageId, *nodes: NodeId) -> dict[StageId, tuple[NodeId, ...]]:
    reached = Provenance(equal_locations().links).follow(place(stage, *nodes))
    return {row: found.nodes for row, found in reached.items()}


def lines_of(stage: StageId, nodes: tuple[NodeId, ...]) -> list[int]:
    """As the window outlines them: where single lines of a kernel are linked, not the whole kernel."""
    exact = {node for node in nodes if line_of(node) is not None}
    wanted = exact | (set(nodes) - {node.rpartition(":")[0] for node in exact})
    return list(program(equal_locations().stage(stage)).lines_of(wanted))


@pytest.mark.thorough
def test_a_line_lights_up_its_nodes_and_its_kernel_lines(page: Browser) -> None:
    for line in (5, 6, 7):
        page.click(f'#source .line[data-line="{line}"]')
        reached = expected(sample.SOURCE, line_id(line))
        assert page.ask(LIT_LINES.format("source")) == [line]
        for stage in (sample.DYNAMO, sample.JOINT, sample.POST_GRAD, sample.LOOPS, sample.FUSED):
            show(page, "graph", stage)
            shown = diagram(equal_locations().stage(stage))
            wanted = [node for node in shown.nodes if node.id in reached[stage]] if shown else []
            lit = page.ask(LIT_NODES)
            assert len(lit) == len(wanted) > 0
            assert all(text.startswith(node.title) for text, node in zip(lit, wanted, strict=True))
        for stage in (sample.KERNELS, sample.WRAPPER, sample.BYTECODE):
            show(page, "code", stage)
            assert page.ask(LIT_LINES.format("code")) == lines_of(stage, reached[stage])


@pytest.mark.thorough
def test_a_node_and_a_kernel_line_light_up_the_source(page: Browser) -> None:
    for stage, titles in ((sample.DYNAMO, ("y", "z")), (sample.JOINT, ("where",)), (sample.POST_GRAD, ("relu",)), (sample.FUSED, ("op1_op2",))):  # fmt: skip
        show(page, "graph", stage)
        for node in titles:
            place_ = [row.id for row in diagram(equal_locations().stage(stage)).nodes].index(node)  # type: ignore[union-attr]
            page.click(f'#graph .node[data-index="{place_}"] .box')
            reached = expected(stage, node)
            assert page.ask(LIT_LINES.format("source")) == lines_of(sample.SOURCE, reached[sample.SOURCE])
            assert page.ask(LIT_LINES.format("code")) == lines_of(sample.KERNELS, reached[sample.KERNELS])
    exact = next(
        number
        for number, nodes in enumerate(program(equal_locations().stage(sample.KERNELS)).line_nodes, 1)
        if any(node.endswith(":L4") for node in nodes)
    )
    page.click(f'#code .line[data-line="{exact}"]')
    assert page.ask(LIT_LINES.format("code")) == [exact]
    reached = expected(sample.KERNELS, "cpp_fused_mul_relu_0:L4")
    assert page.ask(LIT_LINES.format("source")) == lines_of(sample.SOURCE, reached[sample.SOURCE]) != []
    page.key("Escape")
    assert page.ask("document.querySelectorAll('.lit').length") == 0


@pytest.mark.thorough
def test_a_line_of_another_compile_brings_that_compile(browser: Browser, tmp_path: Path) -> None:
    base = sample.capture()
    others = tuple(
        msgspec.structs.replace(base.stage(row), id=row.replace("0/0", "1/0"), compile_id="1/0")
        for row in (sample.DYNAMO, sample.KERNELS)
    )
    links = (
        LinkTable(sample.SOURCE, others[0].id, "traced", "torch", (("L4", "y"),)),
        LinkTable(others[0].id, others[1].id, "generated", "torch", (("y", "extern_kernels.mm"),)),
    )
    both = msgspec.structs.replace(base, stages=(*base.stages, *others), links=(*base.links, *links))
    page = opened(browser, tmp_path, both)
    shown = "[...document.querySelectorAll('select')].map((one) => one.selectedOptions[0].textContent)"
    assert page.ask(shown) == ["model.py", "0/0 › Dynamo graph", "0/0 › Kernels"]
    page.click('#source .line[data-line="4"]')
    assert page.ask(shown) == ["model.py", "1/0 › Dynamo graph", "1/0 › Kernels"]
    assert (len(page.ask(LIT_NODES)), page.ask(LIT_LINES.format("code"))) == (1, [1])
    page.click('#source .line[data-line="6"]')
    assert page.ask(shown) == ["model.py", "0/0 › Dynamo graph", "0/0 › Kernels"]


def test_a_break_leads_to_its_line(page: Browser) -> None:
    page.click("#facts .breaks button")
    assert page.ask(LIT_LINES.format("source")) == [6]
    assert page.ask("document.querySelector('#source .broken .count').textContent") == "6"


def test_pan_zoom_and_keys(page: Browser) -> None:
    at = page.ask("(() => { const one = document.querySelector('#graph .body').getBoundingClientRect(); return [one.x + 8, one.bottom - 8]; })()")  # fmt: skip
    before = page.ask(VIEW)
    page.mouse("mousePressed", *at)
    page.mouse("mouseMoved", at[0] + 40, at[1] - 30)
    page.mouse("mouseReleased", at[0] + 40, at[1] - 30)
    dragged = page.ask(VIEW)
    assert dragged != before
    page.mouse("mouseWheel", *at, deltaX=0, deltaY=-200)
    zoomed = page.ask(VIEW)
    assert zoomed.split("scale")[1] != dragged.split("scale")[1]
    page.ask("document.querySelector('#graph .body').focus()")
    page.key("0")
    assert page.ask(VIEW) == before
    page.key("ArrowDown")
    first = page.ask(LIT_NODES)
    page.key("ArrowDown")
    assert first
    assert page.ask(LIT_NODES) != first
    page.ask("document.querySelector('#source .body').focus()")
    for _ in range(5):
        page.key("ArrowDown")
    assert page.ask(LIT_LINES.format("source")) == [5]
    assert len(page.ask(LIT_NODES)) > 0


def test_light_and_dark_follow_the_system_until_they_are_chosen(page: Browser) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page.look(dark=False)
    light = page.ask(ground)
    page.look(dark=True)
    dark = page.ask(ground)
    assert dark != light
    page.click("#look")
    assert page.ask(ground) == light
    page.click("#look")
    assert page.ask(ground) == dark
    page.look(dark=False)
    assert page.ask(ground) == dark


@pytest.mark.thorough
def test_nothing_leaves(page: Browser, tmp_path: Path) -> None:
    asked: list[str] = []

    class Listening(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    for row in range(1, 12):
        page.click(f"#pipeline button:nth-of-type({row})")
    for row in range(1, 5):
        page.click(f"#tabs button:nth-of-type({row})")
    assert [address.partition("?")[0] for address in page.requests] == [(tmp_path / "page.html").as_uri()]
    assert page.complaints == []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listening) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}/"
            assert page.ask(f"fetch('{address}fetch').then(() => 'went', () => 'refused')") == "refused"
            page.ask(
                "new Promise((done) => { const one = new Image(); one.onload = one.onerror = () => done(1);"
                f"one.src = '{address}image'; document.body.append(one); }})"
            )
            page.ask(
                "new Promise((done) => { const one = document.createElement('script'); one.onload = one.onerror = () => done(1);"
                f"one.src = '{address}script'; document.body.append(one); }})"
            )
        finally:
            server.shutdown()
            thread.join()
    assert asked == []


@pytest.mark.thorough
def test_hostile_names_are_texts(browser: Browser, tmp_path: Path) -> None:
    image = "<img src=x onerror=alert(2)>"
    names = {
        "model": HOSTILE,
        "l_x_": f"l{HOSTILE}",
        "relu": f"relu{HOSTILE}",
        "Data-dependent": image,
        "Linux": image,
        "y = x @ w": f"y = x @ w + '{image}'  # {image}",
    }
    page = opened(browser, tmp_path, renamed(sample.capture(), names))
    for row in range(1, 12):
        page.click(f"#pipeline button:nth-of-type({row})")
    for row in range(1, 5):
        page.click(f"#tabs button:nth-of-type({row})")
    assert page.complaints == []
    assert page.ask("document.scripts.length") == 2
    assert page.ask("document.images.length") == 0
    text = page.ask("document.documentElement.textContent")
    assert "⟨U+202E⟩" in text
    assert "\u202e" not in text
    assert "<script>alert(1)" in text
    assert image in text


@pytest.mark.parametrize("hide", [False, True])
def test_lines_stay_where_they_are_when_they_come_into_view(
    browser: Browser, tmp_path: Path, hide: bool
) -> None:
    page = opened(browser, tmp_path, equal_locations(), hide)
    tops = "[...document.querySelectorAll('#code .line')].map((row) => row.offsetTop)"
    before = page.ask(tops)
    page.ask(
        "(() => { const one = document.querySelector('#code .body'); one.scrollTop = one.scrollHeight; })()"
    )
    page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    assert page.ask(tops) == before
    assert {second - first for first, second in itertools.pairwise(before)} == {18}


def test_hidden_code_is_hidden_and_still_linked(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, equal_locations(), hide=True)
    page.click('#source .line[data-line="6"]')
    assert page.ask(LIT_LINES.format("source")) == [6]
    assert len(page.ask(LIT_NODES)) > 0
    assert page.ask(LIT_LINES.format("code"))
    assert page.ask("document.querySelector('#source .body').innerText.replace(/[\\d\\s]/g, '')") == ""
    assert page.complaints == []
