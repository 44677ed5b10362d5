"""Meshes and plans as people write them."""

from pathlib import Path

import msgspec
import pytest

from compiler.model.prediction.parallel_plan import (
    BLOCK,
    WHOLE,
    ParallelPlan,
    TensorRule,
    checked,
    placed,
    read_mesh,
    read_tensor_file,
    read_tensor_plan,
)


def test_a_mesh_is_read_outermost_first():
    assert read_mesh("dp=8, tp=4") == (("dp", 8), ("tp", 4))
    assert read_mesh("") == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dp", "no dimension"),
        ("dp=0", "no dimension"),
        ("dp=x", "no dimension"),
        ("ep=2", "Nothing is known to be done along 'ep'"),
        ("dp=2,dp=2", "twice"),
    ],
)
def test_what_is_no_mesh_is_reported(text: str, words: str):
    with pytest.raises(ValueError, match=words):
        read_mesh(text)


def test_a_mesh_must_multiply_to_the_world():
    with pytest.raises(
        ValueError, match=r"8 × 4 = 32 ranks, the world 64: change --mesh, or write --world 32"
    ):
        checked(ParallelPlan(64, (("dp", 8), ("tp", 4))))
    with pytest.raises(ValueError, match="no rank 8"):
        checked(ParallelPlan(8, (("dp", 8),), rank=8))
    with pytest.raises(ValueError, match="no stage 2"):
        checked(ParallelPlan(2, (("pp", 2),), stage=2))
    with pytest.raises(ValueError, match="either dp, or replicate and shard"):
        checked(ParallelPlan(8, (("dp", 2), ("shard", 4))))


def test_what_is_sharded_is_compiled_by_block():
    assert ParallelPlan(4, (("dp", 4),)).way_of_compiling == BLOCK
    assert ParallelPlan(4, (("tp", 4),)).way_of_compiling == WHOLE
    assert ParallelPlan(4, (("dp", 4),), data="ddp").way_of_compiling == WHOLE
    assert ParallelPlan(4, (("dp", 4),), compiled=WHOLE).way_of_compiling == WHOLE


def test_a_plan_is_a_table_of_patterns(tmp_path: Path):
    text = (
        '[tp]\n"layers.*.wq" = "colwise"\n"norm" = {style = "sequence", input = "shard(1)", local = false}\n'
    )
    path = tmp_path / "plan.toml"
    path.write_text(text)
    assert read_tensor_file(path) == (
        TensorRule("layers.*.wq", "colwise"),
        TensorRule("norm", "sequence", "shard(1)", "", False),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tp", "no TOML"),
        ("", r"no table \[tp\]"),
        ('[tp]\n"a" = "diagonal"', "has the style 'diagonal'"),
        ('[tp]\n"a" = 3', "has a style, or a table"),
        ('[tp]\n"a" = {style = "colwise", input = "shard"}', "no layout"),
    ],
)
def test_what_is_no_plan_is_reported(text: str, words: str):
    with pytest.raises(ValueError, match=words):
        read_tensor_plan(text)


def test_a_stage_is_captured_on_a_rank_that_has_it():
    assert checked(ParallelPlan(64, (("pp", 4), ("dp", 2), ("tp", 8)), stage=3)).rank == 48
    assert checked(ParallelPlan(8, (("dp", 4), ("pp", 2)), stage=1)).rank == 1
    assert checked(ParallelPlan(8, (("pp", 2), ("dp", 4)), rank=5, stage=1)).rank == 5


def test_layouts():
    assert placed("shard(-1)") == -1
    assert placed("replicate") is None


def test_a_plan_survives_encoding():
    plan = ParallelPlan(
        8, (("dp", 2), ("tp", 4)), 3, tensor=(TensorRule("a", "rowwise"),), units=("layers.*",)
    )
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(plan), type=ParallelPlan) == plan


def test_a_rank_has_the_stage_of_its_place():
    mesh = (("pp", 2), ("dp", 3))
    assert checked(ParallelPlan(6, mesh, rank=4)).stage == 1
    assert checked(ParallelPlan(6, mesh, stage=1)).rank == 3
    with pytest.raises(ValueError, match="Rank 1 has stage 0, not 1"):
        checked(ParallelPlan(6, mesh, rank=1, stage=1))
    assert ParallelPlan(6, mesh).place(4) == {"pp": 1, "dp": 1}


def test_schedules_are_of_pipelines():
    with pytest.raises(ValueError, match="--mesh pp=4"):
        checked(ParallelPlan(2, (("dp", 2),), schedule="gpipe", microbatches=2))
    with pytest.raises(ValueError, match="--microbatches 4"):
        checked(ParallelPlan(4, (("pp", 4),), schedule="1f1b", microbatches=2))
    with pytest.raises(ValueError, match="--schedule 1f1b"):
        checked(ParallelPlan(4, (("pp", 4),), microbatches=2))
