"""What is decoded with equal parts shared is what msgspec decodes, in both formats; equal parts are one object."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import FxStage, Stage, StageKind
from compiler.model.session_file import shared_decoding
from compiler.model.session_file.shared_decoding import SharingDecoder
from tests.helpers import sample_capture
from tests.helpers.large_capture import large_capture
from tests.helpers.transformer_graph import joint_graph
from tests.helpers.triton_capture import triton_capture

FORMATS = [
    (msgspec.json.encode, msgspec.json.Decoder),
    (msgspec.msgpack.encode, msgspec.msgpack.Decoder),
]
both = pytest.mark.parametrize(("encode", "made"), FORMATS, ids=["json", "msgpack"])


@both
@pytest.mark.parametrize(
    "capture",
    [sample_capture.capture(), sample_capture.with_passes(), large_capture(), triton_capture()],
    ids=["sample", "passes", "large", "triton"],
)
def test_the_value_is_the_one_msgspec_decodes(
    capture: Capture, encode: Callable[[object], bytes], made: type[Any]
) -> None:
    decoder: SharingDecoder[Capture] = SharingDecoder(Capture, made)
    decoded = decoder.decode(encode(capture), decoder.shared())
    assert decoded == capture
    assert msgspec.json.encode(decoded) == msgspec.json.encode(capture)


@both
def test_equal_parts_of_two_stages_are_one_object(encode: Callable[[object], bytes], made: type[Any]) -> None:
    stage = Stage("0/0:joint", StageKind.AOT_GRAPH, "Joint", FxStage(joint_graph(400)), "0/0")
    decoder: SharingDecoder[Stage] = SharingDecoder(Stage, made)
    shared = decoder.shared()
    graphs = [decoder.decode(encode(stage), shared).graph for _ in range(2)]
    assert graphs[0] is not None
    assert graphs[1] is not None
    for one, other in zip(graphs[0].nodes, graphs[1].nodes, strict=True):
        for name in ("id", "target", "args", "kwargs", "value", "stack", "module_path"):
            assert getattr(one, name) is getattr(other, name), name
    values = {id(node.value) for node in graphs[0].nodes}
    assert len(values) == len({msgspec.json.encode(node.value) for node in graphs[0].nodes})


def test_every_field_of_a_node_is_read() -> None:
    """A field that is added to nodes has to be added where they are decoded."""
    assert shared_decoding._Parts.__struct_fields__ == Node.__struct_fields__


def test_older_files_lack_fields_and_newer_ones_have_more() -> None:
    decoder: SharingDecoder[Graph] = SharingDecoder(Graph, msgspec.json.Decoder)
    data = b'{"nodes":[{"id":"a","op":"output","target":"output","args":{"type":"sequence","kind":"tuple","items":[]},"new":[1]}]}'
    assert decoder.decode(data, decoder.shared()) == msgspec.json.decode(data, type=Graph)


class _Renamed(msgspec.Struct):
    """Fields as no struct of ours that holds graphs has them yet."""

    graph: Graph
    rows: list[int] = msgspec.field(default_factory=list)
    line: int = msgspec.field(default=3, name="told")


@both
def test_names_in_files_and_made_defaults_are_kept(
    encode: Callable[[object], bytes], made: type[Any]
) -> None:
    decoder: SharingDecoder[_Renamed] = SharingDecoder(_Renamed, made)
    value = _Renamed(joint_graph(3), line=7)
    assert decoder.decode(encode(value), decoder.shared()) == value
    fewer = decoder.decode(encode({"graph": value.graph}), decoder.shared())
    assert (fewer.rows, fewer.line) == ([], 3)


@pytest.mark.parametrize(
    "data",
    [
        b'{"nodes":[{"id":"a","op":"output","target":"output","args":{"type":"mapping","items":[]}}]}',
        b'{"nodes":[{"id":"a","op":"output","target":"output"}]}',
        b'{"nodes":[{"id":"a","op":"output","target":"output","args":{"type":"sequence","kind":"tuple","items":[1]}}]}',
        b'{"nodes":[{"id":"a","op":"o","target":"o","args":{"type":"sequence","kind":"t","items":[]},"stack":[{"path":1}]}]}',
        b'{"nodes":[',
    ],
)
def test_a_fault_is_reported_as_msgspec_says_it(data: bytes) -> None:
    decoder: SharingDecoder[Graph] = SharingDecoder(Graph, msgspec.json.Decoder)
    with pytest.raises(msgspec.MsgspecError) as plain:
        msgspec.json.decode(data, type=Graph)
    with pytest.raises(msgspec.MsgspecError) as shared:
        decoder.decode(data, decoder.shared())
    assert str(shared.value) == str(plain.value)
