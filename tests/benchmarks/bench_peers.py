"""The same graphs in Torch Loupe, Netron and Model Explorer: ``python -m tests.benchmarks.bench_peers``.

Not part of ``make benchmarks``: it needs Chromium and a Python with ``netron onnx playwright ai-edge-model-explorer``
(its path in PEERS_PYTHON; by default /tmp/peers/bin/python).

Ours: from opening a session file in a window that is up until the first picture (layers folded), and until everything
is laid out and painted. Netron: from navigation, browser and server running, until the graph is painted, all nodes.
Model Explorer: navigation until its collapsed picture, and from “expand all” until it last says “Processing”, where it
says that at all. Files:
the same nodes and arrows as ``.loupe``, ONNX and Model Explorer's JSON.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec

from app.panes.graph.graph_pane import GraphPane
from app.session.facade.session import Session
from app.window.application import application
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.ir.graph import Graph
from tests.benchmarks.bench_canvas import until
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.finished_process import ran
from tests.helpers.sample_capture import capture
from tests.helpers.transformer_graph import joint_stage

_PEERS = os.environ.get("PEERS_PYTHON", "/tmp/peers/bin/python")
_SIZES = (139, 417, 717, 1950, 5000)
_LIMIT_S = 150
_WRITE_ONNX = """
import json, sys, onnx
from onnx import TensorProto, helper
nodes = json.load(open(sys.argv[1]))
made = [helper.make_node(n["op"], [f"t_{i}" for i in n["inputs"]], [f"t_{n['id']}"], name=n["id"], domain="fx") for n in nodes]
last = helper.make_tensor_value_info(f"t_{nodes[-1]['id']}", TensorProto.FLOAT, [1])
graph = helper.make_graph(made, "graph", [], [last])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("fx", 1)]), sys.argv[2])
"""


def _files(folder: Path, graph: Graph) -> tuple[Path, Path]:
    rows = [
        {"id": node.id, "op": re.sub(r"\W+", "_", node.target), "inputs": list(node.inputs())}
        for node in graph.nodes
    ]
    plain, onnx, explorer = folder / "nodes.json", folder / "graph.onnx", folder / "graph.json"
    plain.write_text(json.dumps(rows))
    subprocess.run([_PEERS, "-c", _WRITE_ONNX, str(plain), str(onnx)], check=True)
    places = {node.id: str(number) for number, node in enumerate(graph.nodes)}
    made = [
        {
            "id": places[node.id],
            "label": node.target,
            "namespace": "/".join((node.lane, *node.module_path.split("."))).rstrip("/"),
            "incomingEdges": [
                {"sourceNodeId": places[used], "sourceNodeOutputId": "0", "targetNodeInputId": str(number)}
                for number, used in enumerate(node.inputs())
            ],
        }
        for node in graph.nodes
    ]
    explorer.write_text(json.dumps({"graphs": [{"id": "graph", "nodes": made}]}))
    return onnx, explorer


def _ours(folder: Path, nodes: int) -> tuple[float, float]:
    """Seconds to the first picture, and to that of everything."""
    stage = joint_stage(nodes)
    base = msgspec.structs.replace(capture(), stages=(stage,), links=(), breaks=(), problems=(), frames=())
    file = folder / "graph.loupe"
    write_session(file, SessionData((base,)))
    session = Session(FakeEngine(), journals=folder / "journals")
    window = MainWindow(session, ThemeChoice(application()))
    window.resize(1400, 900)
    window.show()
    window.show_panes()
    application().processEvents()
    pane = window.findChild(GraphPane)
    started = time.perf_counter()
    session.open_file(file)
    until(lambda: session.capture is not None and pane.is_idle() and bool(pane.view.scene_data.layout.boxes))
    pane.view.viewport().repaint()
    first = time.perf_counter() - started
    pane.open_levels(99)
    until(pane.is_idle)
    pane.view.viewport().repaint()
    complete = time.perf_counter() - started
    window.close()
    session.close()
    return first, complete


def _peer(kind: str, file: Path) -> dict[str, float]:
    driver = Path(__file__).with_name("peer_driver.py")
    done = ran([_PEERS, str(driver), kind, str(file), str(_LIMIT_S)], timeout=3 * _LIMIT_S)
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines else {"error": done.stderr[-200:]}


def main() -> int:
    """Print a line a size."""
    if not Path(_PEERS).exists():
        print(f"{_PEERS} is not there; see the first lines of this file.")
        return 1
    print(f"Open a graph until it is painted; load {os.getloadavg()[0]:.1f}; a peer gets {_LIMIT_S} s")
    for size in _SIZES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            graph = joint_stage(size).graph
            assert graph is not None
            onnx, explorer = _files(folder, graph)
            ours = [_ours(folder, size) for _ in range(3)]
            first, complete = sorted(row[0] for row in ours)[1], sorted(row[1] for row in ours)[1]
            netron, expanded = _peer("netron", onnx), _peer("explorer", explorer)
        print(f"{len(graph.nodes):>6} nodes: ours {first:.2f} s folded, {complete:.2f} s all", end="")
        if "seconds" in netron:
            print(f"; Netron {netron['seconds']:.1f} s = {netron['seconds'] / complete:.0f}× ours", end="")
        else:
            print(f"; Netron {netron.get('error', 'nothing')[:60]}", end="")
        if "seconds" in expanded:
            print(
                f"; Model Explorer {expanded['seconds']:.1f} s folded = {expanded['seconds'] / first:.0f}×",
                end="",
            )
            if "expanded" in expanded:
                whole = expanded["seconds"] + expanded["expanded"]
                print(f", all {whole:.1f} s = {whole / complete:.0f}×", end="")
            print()
        else:
            print(f"; Model Explorer {json.dumps(expanded)[:80]}")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
