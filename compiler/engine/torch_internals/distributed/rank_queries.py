"""Who asks for this rank's place in the world, and what is made of it: all by which another rank's program can differ. For good.

A program depends on its rank by asking for it, and there are few places to ask. What FSDP2 and DDP ask for is data or what they
store; what DTensor asks for becomes sizes and constants, which are distinguished by the function that asks. Anybody else's use of it is
not known, and told with its line.

GIVES: in what other ranks' programs differ from the captured one.
NEEDS: ``DeviceMesh.get_coordinate``, ``_sym_get_coordinate``, ``get_local_rank``, ``get_rank``, ``ProcessGroup.rank``; the names of
DTensor's own functions and variables below, where a strange one counts as unknown.
"""

import dataclasses
import functools
import os
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch
from torch._guards import TracingContext
from torch.distributed.device_mesh import DeviceMesh

GIVES = "in what programs of other ranks differ from the captured one"
NEEDS = (
    "torch.distributed.device_mesh:DeviceMesh.get_coordinate",
    "torch.distributed.device_mesh:DeviceMesh._sym_get_coordinate",
    "torch.distributed.device_mesh:DeviceMesh.get_local_rank",
    "torch.distributed.device_mesh:DeviceMesh.get_rank",
    "torch.distributed:ProcessGroup.rank",
)
NOTHING, SIZES, ROWS, PIECE, RANDOM, UNKNOWN = "nothing", "sizes", "rows", "piece", "random", "unknown"
_CALLERS = " the file that called"
_NO_OFFSETS = ("distributed/tensor/_sharding_prop.py", "distributed/tensor/_ops/")
"""They want the shape alone."""
_VARIABLES = ("RANK", "LOCAL_RANK", "GROUP_RANK")
_COMPILER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__)))) + os.sep
_TORCH = os.path.dirname(torch.__file__) + os.sep
_GROUPS = _TORCH + "distributed/distributed_c10d.py"
_RANK_QUERIES = ("get_rank", "get_group_rank", "get_node_local_rank")
_ASKING = (
    _TORCH + "distributed/device_mesh.py",
    _GROUPS,
    _TORCH + "distributed/c10d_logger.py",
    _TORCH + "_dynamo/",
    __file__,
    "<frozen ",
    os.__file__,
)
"""They ask for others."""
_NO_MATTER = (
    "distributed/fsdp/",
    "distributed/algorithms/",
    "distributed/utils.py",
    "nn/parallel/",
    "_logging/",
    "_dynamo/repro/",
    "_library/fake_class_registry.py",
)
"""What they ask for is where data lies, while compiled code sees whole parameters; what stands in a log; which ranks a mesh has."""


@dataclasses.dataclass(frozen=True)
class RankQuery:
    """One use of this rank's place."""

    effect: str
    """`SIZES`, `ROWS`, `PIECE`, `RANDOM` or `UNKNOWN`."""
    dimensions: tuple[str, ...]
    """Of the mesh, by name; none: of the world."""
    what: str
    """What is cut, or who asked."""
    size: int = 0
    """Of the dimension that is cut."""
    shape: tuple[int, ...] = ()
    """Of the tensor."""
    among: tuple[int, ...] = ()
    """The ranks of a group that is no dimension's by name; none: the world."""


class RankQueries:
    """All uses that matter, each once."""

    def __init__(self) -> None:
        self.rows: dict[RankQuery, None] = {}
        self.spreading = True
        """While parameters are cut; later, what is asked for is part of the program."""
        self._inside = False
        """One of the functions that are asked calls another."""

    def add(self, mesh: Any, index: int | None, function: str) -> None:
        """Somebody asked for the rank with a function; `index` is the dimension of the mesh, None: all of it, or none."""
        if self._inside:
            return
        caller = sys._getframe(1).f_back
        if caller is not None and caller.f_code.co_name == "get_rank" and function == "rank":
            mesh = caller.f_locals.get("group") or mesh
            outer = caller.f_back
            if (
                outer is not None
                and outer.f_code.co_filename == _GROUPS
                and outer.f_code.co_name not in _RANK_QUERIES
            ):
                return  # it finds a group, or sends something
        if function == "get_coordinate" and (caller is None or function not in caller.f_code.co_names):
            return  # the dispatcher of DTensor, written in C++, asks whether this rank is one of the mesh's
        frame = _asker(caller)
        if frame is None:
            return
        path, name, line = frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno
        variables: dict[str, Any] = {**frame.f_locals, _CALLERS: _callers(frame)}
        if _is_of(path, "_dynamo/") and not _is_of(path, "_dynamo/repro/"):
            path, line, name = _traced()
            variables = {}
        if path.startswith(_COMPILER) or any(_is_of(path, part) for part in _NO_MATTER):
            return
        by_tensors = _is_of(path, "distributed/tensor/")
        rows = self._of_tensors(name, variables, mesh, index) if by_tensors else None
        dimensions = _names(mesh, index)
        if rows is None:
            what = f"{name} ({_short(path)}:{line})"
            self.rows.setdefault(
                RankQuery(UNKNOWN, dimensions, what, among=() if dimensions else _among(mesh))
            )
            return
        for row in rows:
            self.rows.setdefault(row)

    def variable(self) -> None:
        """A variable of torchrun was read."""
        frame = _asker(sys._getframe(1).f_back)
        if frame is None:
            return
        path = frame.f_code.co_filename
        if not path.startswith((_TORCH, _COMPILER)):
            self.rows.setdefault(
                RankQuery(UNKNOWN, (), f"{frame.f_code.co_name} ({_short(path)}:{frame.f_lineno})")
            )

    def _of_tensors(
        self, name: str, variables: dict[str, Any], mesh: Any, index: int | None
    ) -> list[RankQuery] | None:
        """What one of DTensor's functions makes of it; None where that is not known."""
        known = _KNOWN.get(name)
        if self.spreading and (known is not None or name in _OF_DATA):
            return []  # data of parameters and their sizes, which are reported one by one
        if known is None:
            return [] if name in _WHETHER else None
        try:
            return list(known(variables, mesh, index))
        except (KeyError, AttributeError, TypeError, IndexError, ValueError):
            return None


def install() -> RankQueries:
    """From now on in this process."""
    asked = RankQueries()
    mesh: Any = DeviceMesh
    for name in ("get_coordinate", "_sym_get_coordinate", "get_local_rank", "get_rank"):
        setattr(mesh, name, _asking(getattr(mesh, name), asked))
    group: Any = torch.distributed.ProcessGroup
    plain = group.rank

    @functools.wraps(plain)
    def rank(self: Any) -> int:
        asked.add(self, None, "rank")
        return int(plain(self))

    group.rank = rank
    return asked


class ReadVariables:
    """While a program is loaded, its reading of torchrun's variables is reported; what is compiled finds them as they are."""

    def __init__(self, asked: RankQueries) -> None:
        self._asked = asked
        self._kind: Any = type(os.environ)
        self._plain = self._kind.__getitem__

    def __enter__(self) -> None:
        plain, asked = self._plain, self._asked

        def reported(environment: Any, key: str) -> str:
            if key in _VARIABLES:
                asked.variable()
            return str(plain(environment, key))

        self._kind.__getitem__ = reported

    def __exit__(self, *_raised: object) -> None:
        self._kind.__getitem__ = self._plain


def _asking(plain: Callable[..., Any], asked: RankQueries) -> Callable[..., Any]:
    @functools.wraps(plain)
    def reported(mesh: Any, *args: Any, **kwargs: Any) -> Any:
        given = args[0] if args else next(iter(kwargs.values()), None)
        if isinstance(given, str):
            names = mesh.mesh_dim_names or ()
            given = names.index(given) if given in names else None
        asked.add(mesh, given if isinstance(given, int) else None, plain.__name__)
        outer, asked._inside = asked._inside, True
        try:
            return plain(mesh, *args, **kwargs)
        finally:
            asked._inside = outer

    return reported


def _asker(frame: FrameType | None) -> FrameType | None:
    """The frame that wants to know; of Dynamo its own, which stands for what is traced; None: the engine, or nobody."""
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(_TORCH + "_dynamo/") or not path.startswith(_ASKING):
            return frame
        frame = frame.f_back
    return None


def _callers(frame: FrameType) -> str:
    """The file that wanted what the frame's file computes, within torch."""
    path, outer = frame.f_code.co_filename, frame.f_back
    while outer is not None and outer.f_code.co_filename == path:
        outer = outer.f_back
    return outer.f_code.co_filename.removeprefix(_TORCH) if outer is not None else ""


def _traced() -> tuple[str, int, str]:
    """The line that Dynamo is at."""
    try:
        summary = TracingContext.extract_stack()
    except AssertionError:
        summary = None
    if not summary:
        return "", 0, "a traced function"
    last = summary[-1]
    return last.filename, last.lineno or 0, last.name


def _is_of(path: str, part: str) -> bool:
    return path.startswith(_TORCH + part)


def _short(path: str) -> str:
    return path.removeprefix(_TORCH) if path.startswith(_TORCH) else path.rpartition("/")[2]


def _names(mesh: Any, index: int | None) -> tuple[str, ...]:
    names = getattr(mesh, "mesh_dim_names", None)
    if names is None:
        title = str(getattr(mesh, "group_desc", "") or "")
        return (title.removeprefix("mesh_"),) if title.startswith("mesh_") else ()
    return tuple(names) if index is None else (names[index],)


def _among(group: Any) -> tuple[int, ...]:
    try:
        return tuple(torch.distributed.get_process_group_ranks(group))
    except (AssertionError, KeyError, RuntimeError, TypeError, ValueError):
        return ()


# -- what DTensor's functions make of it: by their own variables, while they ask ----------------------------------


def _shape(variables: dict[str, Any], mesh: Any, index: int | None) -> Iterator[RankQuery]:
    """``_compute_local_shape_and_global_offset``."""
    placements, sizes = variables["placements"], variables["mesh_shape"]
    names = mesh.mesh_dim_names
    for at, placement in enumerate(placements):
        if (index is None or at == index) and hasattr(placement, "dim"):
            size = int(variables["global_shape"][placement.dim])
            if size % (int(sizes[at]) * _more_cuts(placements, sizes, at)):
                yield _cut(SIZES, names[at], variables["global_shape"], placement.dim)
            if not variables.get("skip_offset") and not variables[_CALLERS].startswith(_NO_OFFSETS):
                yield _cut(ROWS, names[at], variables["global_shape"], placement.dim)


def _more_cuts(placements: Any, sizes: Any, at: int) -> int:
    """How often the same dimension is cut along other dimensions of the mesh."""
    found = 1
    for other, placement in enumerate(placements):
        if other != at and getattr(placement, "dim", None) == placements[at].dim:
            found *= int(sizes[other])
    return found


def _cut(effect: str, name: str, shape: Any, dimension: int) -> RankQuery:
    sizes = tuple(int(size) for size in shape)
    return RankQuery(
        effect, (name,), f"dimension {dimension} of a tensor of {sizes}", sizes[dimension], sizes
    )


def _summed_piece(variables: dict[str, Any], mesh: Any, index: int | None) -> Iterator[RankQuery]:
    """``Shard._reduce_shard_tensor``, which pads where the ranks' pieces are not as large."""
    at = variables["mesh_dim"]
    shape, dimension = variables["tensor"].shape, variables["self"].dim
    if index is not None or int(shape[dimension]) % int(mesh.size(at)):
        yield _cut(SIZES, mesh.mesh_dim_names[at], shape, dimension)


def _cut_otherwise(variables: dict[str, Any], mesh: Any, _index: int | None) -> Iterator[RankQuery]:
    """``_to_new_shard_dim``."""
    at, shape = variables["mesh_dim"], variables["current_logical_shape"]
    for dimension in (variables["self"].dim, variables["new_shard_dim"]):
        if int(shape[dimension]) % int(mesh.size(at)):
            yield _cut(SIZES, mesh.mesh_dim_names[at], shape, dimension)


def _masked_rows(variables: dict[str, Any], mesh: Any, _index: int | None) -> Iterator[RankQuery]:
    """``_MaskPartial._partition_value``: the rows of an embedding."""
    own, at = variables["self"], variables["mesh_dim"]
    size = int(own.offset_shape[own.offset_dim])
    shape = tuple(int(one) for one in own.offset_shape)
    for effect in (ROWS, SIZES) if size % int(mesh.size(at)) else (ROWS,):
        yield RankQuery(effect, (mesh.mesh_dim_names[at],), f"rows of an embedding of {shape}", size, shape)


def _logical_shape(variables: dict[str, Any], mesh: Any, index: int | None) -> Iterator[RankQuery]:
    """Sizes on the way from one placement to another: what is cut twice."""
    shape = variables.get("new_logical_shape") or variables["current_logical_shape"]
    placement = variables.get("placement") or variables["src"]
    at = variables["mdim"] if "mdim" in variables else variables["i"]
    if index is not None and int(shape[placement.dim]) % int(mesh.size(at)):
        yield _cut(SIZES, mesh.mesh_dim_names[at], shape, placement.dim)


def _taken_piece(variables: dict[str, Any], mesh: Any, index: int | None) -> Iterator[RankQuery]:
    """``redistribute_local_tensor``: a piece of what all ranks have."""
    at = variables["i"] if index is None else index
    shape, dimension = variables["local_tensor"].shape, variables["target"].dim
    size = int(shape[dimension])
    yield _cut(PIECE, mesh.mesh_dim_names[at], shape, dimension)
    if size % int(mesh.size(at)):
        yield _cut(SIZES, mesh.mesh_dim_names[at], shape, dimension)


def _own_rows(variables: dict[str, Any], mesh: Any, _index: int | None) -> Iterator[RankQuery]:
    """A shard that is put into zeros of the whole size."""
    at, shape = variables["mesh_dim"], variables["current_logical_shape"]
    dimension = variables["self"].dim
    yield _cut(PIECE, mesh.mesh_dim_names[at], shape, dimension)
    if int(shape[dimension]) % int(mesh.size(at)):
        yield _cut(SIZES, mesh.mesh_dim_names[at], shape, dimension)


def _random(variables: dict[str, Any], mesh: Any, _index: int | None) -> Iterator[RankQuery]:
    """Where in the sequence of random numbers a rank begins."""
    for at, placement in enumerate(variables["spec"].placements):
        if hasattr(placement, "dim"):
            yield RankQuery(RANDOM, (mesh.mesh_dim_names[at],), "where its random numbers begin")


def _nothing(_variables: dict[str, Any], _mesh: Any, _index: int | None) -> Iterator[RankQuery]:
    """Only whether this rank is one of the mesh's."""
    return iter(())


_KNOWN: dict[str, Callable[[dict[str, Any], Any, int | None], Iterator[RankQuery]]] = {
    "_compute_local_shape_and_global_offset": _shape,
    "compute_local_shape_and_global_offset": _shape,
    "coordinate_lookup": _nothing,
    "_reduce_shard_tensor": _summed_piece,
    "_to_new_shard_dim": _cut_otherwise,
    "_partition_value": _masked_rows,
    "get_logical_shape": _logical_shape,
    "generate_greedy_transform_infos": _logical_shape,
    "redistribute_local_tensor": _taken_piece,
    "_to_partial_tensor": _own_rows,
    "_compute_rng_offsets": _random,
    "_make_replicate_tensor": _nothing,
}
_WHETHER = frozenset({"__init__", "_resolve_device", "manual_seed"})
"""They ask whether the rank is one of the mesh's."""
_OF_DATA = frozenset({"_shard_tensor", "mesh_scatter", "mesh_broadcast"})
"""They put data where they belong."""
