"""The sizes that DTensor gives the shards of any rank, by its own functions.

GIVES: sizes and offsets of other ranks' shards.
NEEDS: ``_compute_local_shape_and_global_offset``, ``Shard.local_shard_size_and_offset``, ``DTensor._spec``.
"""

from collections.abc import Sequence
from typing import Any

from torch.distributed.tensor import Shard, _utils

GIVES = "sizes and offsets of other ranks' shards"
NEEDS = (
    "torch.distributed.tensor._utils:_compute_local_shape_and_global_offset",
    "torch.distributed.tensor:Shard.local_shard_size_and_offset",
)


def layout_of(value: Any) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...], tuple[Any, ...]] | None:
    """Of a distributed tensor: its whole shape, names and sizes of its mesh's dimensions, and placements; None of others."""
    spec = getattr(value, "_spec", None)
    if spec is None:
        return None
    mesh = spec.mesh
    shape = tuple(int(size) for size in spec.shape)
    return (
        shape,
        tuple(mesh.mesh_dim_names or ()),
        tuple(int(size) for size in mesh.shape),
        tuple(spec.placements),
    )


def local_shape(
    shape: Sequence[int], mesh: Sequence[int], place: Sequence[int], placements: Sequence[Any]
) -> tuple[int, ...]:
    """What the rank at a place of the mesh has of a tensor."""
    compute: Any = _utils._compute_local_shape_and_global_offset
    found, _ = compute(tuple(shape), tuple(mesh), list(place), tuple(placements))
    return tuple(int(size) for size in found)


def size_and_offset(size: int, ranks: int, index: int) -> tuple[int, int]:
    """Of a dimension cut over ranks: how much one has, and where it begins."""
    found, offset = Shard.local_shard_size_and_offset(size, ranks, index)
    return int(found), int(offset)
