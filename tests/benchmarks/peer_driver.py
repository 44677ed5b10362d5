"""Opens a graph in Netron or Model Explorer in headless Chromium and times it. Runs with the peers' own Python.

``python peer_driver.py netron|explorer FILE SECONDS`` prints one line of JSON. Not part of the product: it needs
``pip install netron onnx playwright ai-edge-model-explorer`` and Chromium, see `bench_peers`.
"""

import json
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from playwright.sync_api import Error, Page, sync_playwright

_SERVE = {
    "netron": "import netron, threading; netron.start({file!r}, address=('127.0.0.1', {port}), browse=False); "
    "threading.Event().wait()",
    "explorer": "import model_explorer; c = model_explorer.config(); c.graphs_list.append(open({file!r}).read()); "
    "c.model_sources.append({{'url': 'graphs://g/0'}}); "
    "model_explorer.visualize_from_config(c, host='127.0.0.1', port={port}, no_open_in_browser=True)",
}
_NETRON_SHOWN = """() => { const c = document.body && document.body.getAttribute('class');
    return c && c.split(' ').includes('default') && document.querySelectorAll('g.graph-node').length > 0; }"""
_EXPLORER_SHOWN = """() => !document.querySelector('.loading-container, .processing, mat-spinner, .mdc-circular-progress')
    && document.querySelector('renderer-wrapper canvas, webgl-renderer canvas')"""
_EXPLORER_WORKS = """() => [...document.querySelectorAll('simple-snack-bar, mat-snack-bar-container, .processing')]
    .some(e => /Processing/i.test(e.textContent))"""
_KEEP_EVAL = (
    """const kept = window.eval; Object.defineProperty(window, 'eval', { get: () => kept, set: () => {} });"""
)
_TWO_FRAMES = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"


def netron(page: Page, port: int, limit: float) -> dict[str, float]:
    """Navigation until the graph is shown and painted."""
    started = time.perf_counter()
    page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
    page.wait_for_function(_NETRON_SHOWN, timeout=limit * 1e3, polling=50)
    page.evaluate(_TWO_FRAMES)
    took = time.perf_counter() - started
    return {"seconds": took, "nodes": page.evaluate("() => document.querySelectorAll('g.graph-node').length")}


def explorer(page: Page, port: int, limit: float) -> dict[str, float]:
    """Navigation until the collapsed picture, and from the click on “expand all” until it last said “Processing”."""
    data = urllib.parse.quote(json.dumps({"models": [{"url": "graphs://g/0"}]}))
    started = time.perf_counter()
    page.goto(f"http://127.0.0.1:{port}/?data={data}", wait_until="commit")
    page.wait_for_function(_EXPLORER_SHOWN, timeout=limit * 1e3, polling=50)
    page.evaluate(_TWO_FRAMES)
    opened = time.perf_counter() - started
    clicked = last = time.perf_counter()
    page.locator("mat-icon", has_text="unfold_more_double").first.click(timeout=8000)
    seen = False
    while time.perf_counter() - last < 5:
        if page.evaluate(_EXPLORER_WORKS):
            last, seen = time.perf_counter(), True
        if time.perf_counter() - clicked > limit:
            return {"seconds": opened, "gave_up": limit}
        page.wait_for_timeout(100)
    return {"seconds": opened, "expanded": last - clicked} if seen else {"seconds": opened}


def main() -> None:
    """Serve the file, open it once, print what was measured."""
    kind, file, limit = sys.argv[1], sys.argv[2], float(sys.argv[3])
    port = 18000 + hash((kind, file, time.time())) % 900
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVE[kind].format(file=file, port=port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium",
                args=["--no-sandbox", "--disable-gpu"]
                if kind == "netron"
                else [
                    "--no-sandbox",
                    "--use-gl=angle",
                    "--use-angle=swiftshader",
                    "--enable-unsafe-swiftshader",
                ],
            )
            context = browser.new_context(viewport={"width": 1400, "height": 900})
            context.add_cookies([{"name": "consent", "value": "1", "url": f"http://127.0.0.1:{port}"}])
            context.add_init_script(_KEEP_EVAL)
            page = context.new_page()
            page.route(
                "**/*",
                lambda route: (
                    route.continue_()
                    if "127.0.0.1" in route.request.url or route.request.url.startswith(("blob:", "data:"))
                    else route.abort()
                ),
            )
            try:
                result: dict[str, object] = dict(
                    (netron if kind == "netron" else explorer)(page, port, limit)
                )
            except Error as error:
                result = {"error": str(error).splitlines()[0]}
            print(json.dumps(result), flush=True)
    finally:
        server.kill()


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


if __name__ == "__main__":
    main()
