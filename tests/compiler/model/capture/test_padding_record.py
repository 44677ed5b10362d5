"""Torch's record of what it padded is data: matched as text, within limits."""

import json
import os
from pathlib import Path

import pytest

from compiler.model.capture.gpu_assumptions import Assumed, read_assumption, read_assumptions, without_repeats
from compiler.model.capture.padding_record import (
    decisions,
    format_padding,
    gpu_of,
    product_of,
    read_record,
    written,
)

GPU = "NVIDIA H100 80GB HBM3"
REAL = Path(__file__).parents[3] / "data" / "padding_record_h100_torch2.11.json"
HALF = (
    "((torch.Size([6144, 8189]), (8189, 1), torch.bfloat16), (torch.Size([8189, 1023]), (1023, 1), torch.bfloat16), "
    "'exclude_pad:True', 'exclude_pad:False', <OpOverloadPacket(op='aten.mm')>, None, None)"
)
SINGLE = HALF.replace("bfloat16", "float32").replace("None, None)", "None, False)")


def record(folder: Path, cache: object, name: str = "local_cache") -> Path:
    path = folder / name
    path.write_text(json.dumps({"system": {"device": {"name": GPU}, "version": {}}, "cache": cache}))
    return path


def test_a_record_becomes_the_value(tmp_path: Path) -> None:
    cache = {HALF: True, SINGLE: False, f"base mm time: {HALF}": 0.1, "mm": {"a": {"b": 1.0}}, "other": True}
    path = record(tmp_path, cache)
    what, value = read_assumption(f"padding={path}")
    assert what == "padding"
    assert gpu_of(value) == GPU
    assert decisions(value) == {product_of(HALF): True, product_of(SINGLE): False}
    assert "2 products" in format_padding(value)
    path.unlink()
    assert read_assumption(f"padding={value}") == ("padding", value)


def test_paths_of_several_assumptions_may_hold_commas(tmp_path: Path) -> None:
    folder = tmp_path / "of may, june"
    folder.mkdir()
    path = record(folder, {HALF: True})
    assert read_assumptions(f"attention=math,padding={path} , value@a, b.py:3=1,") == (
        ("attention", "math"),
        read_assumption(f"padding={path}"),
        ("value@a, b.py:3", "1"),
    )
    assert read_assumptions(" , ,winner=library") == (("winner", "library"),)


def test_keys_of_other_releases_are_matched_where_they_say_the_same() -> None:
    assert product_of(HALF) == product_of(HALF.replace("None, None)", "None, 'not_float32')")) != ""
    assert product_of(SINGLE) == product_of(SINGLE.replace("False)", "'ieee')")) != product_of(HALF)
    assert product_of(SINGLE.replace("False)", "True)")) != product_of(SINGLE.replace("False)", "'tf32')"))
    assert product_of(HALF.replace("(8189, 1)", "(1, 6144)")) != product_of(HALF)
    assert product_of(HALF.replace("'exclude_pad:True'", "'exclude_pad:False'")) != product_of(HALF)
    assert product_of(HALF.replace("6144", "s77")) == ""
    assert product_of("__import__('os').system('false')") == ""


def test_a_folder_with_one_record_is_enough(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    path = record(tmp_path / "cache", {HALF: True}, "abcd")
    record(tmp_path / "cache", {"mm": {}}, "other")
    assert read_record(tmp_path) == read_record(path)
    record(tmp_path / "cache", {HALF: False}, "second")
    with pytest.raises(ValueError, match="several GPUs"):
        read_record(tmp_path)


def test_what_is_no_record_is_said(tmp_path: Path) -> None:
    for text, reported in (
        ("{", "no record"),
        ('{"cache": 3}', "no record"),
        ('{"cache": {}}', "does not say"),
        ("[" * 9000, "no record"),
    ):
        path = tmp_path / "file"
        path.write_text(text)
        with pytest.raises(ValueError, match=reported):
            read_assumption(f"padding={path}")
    with pytest.raises(ValueError, match="is no file"):
        read_assumption(f"padding={tmp_path / 'absent'}")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="is no file"):
        read_assumption(f"padding={tmp_path / 'pipe'}")
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate((32 << 20) + 1)
    with pytest.raises(ValueError, match="larger"):
        read_assumption(f"padding={tmp_path / 'large'}")
    with pytest.raises(ValueError, match="the path of torch's record"):
        read_assumption("padding=maybe")


def test_a_value_from_a_session_is_only_text() -> None:
    assert decisions("/etc/passwd") == {}
    assert decisions("recorded on x: +mm a;/etc/passwd;") == {"mm a": True}
    assert written("A\nB: C", {"mm a": False}) == "recorded on AB C: -mm a"


def test_many_products_are_reported_in_one_sentence() -> None:
    rows = [Assumed("padding", f"mm {n}: not padded (x).", product=f"mm {n}", taken="no") for n in range(40)]
    rows.append(Assumed("padding", "mm 99: padded (y).", product="mm 99", taken="yes"))
    (reported,) = without_repeats([*rows, *rows])
    assert "of 41 matrix products" in reported
    assert "1 are padded" in reported
    assert "mm 99" in reported


def test_the_record_of_a_real_gpu_is_read_whole() -> None:
    found = decisions(read_record(REAL))
    assert len(found) == 48
    assert sum(found.values()) == 18
    assert gpu_of(read_record(REAL)) == "NVIDIA H100 80GB HBM3"
