"""A process group of many ranks in one process, which sends nothing: torch's own for looking at distributed programs. For good.

GIVES: collectives and meshes of a world that is not there; a program that initialises torch.distributed itself finds it done.
NEEDS: ``torch.testing._internal.distributed.fake_pg.FakeStore``, ``unset_fake_temporarily``, ``init_device_mesh``,
``DeviceMesh.__init__``, ``DeviceMesh.from_group``, ``_flatten`` and ``_concatenate``.
"""

import functools
import os
import sys
from collections.abc import Callable
from typing import Any

import torch.distributed as dist
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.distributed import device_mesh

GIVES = "programs for many processes, of which one is captured"
NEEDS = (
    "torch.testing._internal.distributed.fake_pg:FakeStore",
    "torch.distributed.device_mesh:init_device_mesh",
    "torch.distributed.device_mesh:DeviceMesh.__init__",
)


def install(world: int, rank: int, a_host: int = 8) -> None:
    """Be one rank of a world: torch.distributed is initialised, and the variables of torchrun are set."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    os.environ.update(
        RANK=str(rank),
        WORLD_SIZE=str(world),
        LOCAL_RANK=str(rank % a_host),
        LOCAL_WORLD_SIZE=str(min(world, a_host)),
        MASTER_ADDR="localhost",
        MASTER_PORT="29500",
    )
    _make_meshes_of_numbers()
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world)
    _replace_everywhere(dist.init_process_group, lambda *_args, **_kwargs: None)
    _replace_everywhere(dist.destroy_process_group, lambda *_args, **_kwargs: None)


def made_mesh(device: str, sizes: tuple[int, ...], names: tuple[str, ...]) -> Any:
    """A mesh of the world."""
    return device_mesh.init_device_mesh(device, sizes, mesh_dim_names=names)


def joined_mesh(mesh: Any, names: tuple[str, ...], name: str) -> Any:
    """Dimensions of a mesh as one; the ranks that it has are those of the mesh."""
    with unset_fake_temporarily():
        return mesh[names]._flatten(name)


def meshes_side_by_side(meshes: tuple[Any, ...]) -> Any:
    """One mesh with the dimensions of all, the first outermost."""
    with unset_fake_temporarily():
        return device_mesh.DeviceMesh._concatenate(list(meshes))


def _make_meshes_of_numbers() -> None:
    """A mesh keeps its ranks in a tensor whose values it asks for, also where all tensors are fakes."""
    mesh = device_mesh.DeviceMesh
    mesh.__init__ = _naming_groups(_with_values(mesh.__init__))
    for name in ("from_group", "_concatenate"):
        if isinstance(vars(mesh).get(name), staticmethod):
            setattr(mesh, name, staticmethod(_with_values(getattr(mesh, name))))
    _replace_everywhere(device_mesh.init_device_mesh, _with_values(device_mesh.init_device_mesh))


def _naming_groups(make: Callable[..., None]) -> Callable[..., None]:
    """A dimension that all ranks are in has torch's first group, which is called after no dimension."""

    @functools.wraps(make)
    def made(mesh: Any, *args: Any, **kwargs: Any) -> None:
        make(mesh, *args, **kwargs)
        names: Any = mesh.mesh_dim_names or ()
        if len(names) == 1 and mesh.size() == dist.get_world_size():
            group = mesh.get_group()
            if group.group_desc in ("", "undefined", "default_pg"):
                group._set_group_desc(f"mesh_{names[0]}")

    return made


def _with_values(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def with_values(*args: Any, **kwargs: Any) -> Any:
        with unset_fake_temporarily():
            return function(*args, **kwargs)

    return with_values


def _replace_everywhere(function: Callable[..., Any], by: Callable[..., Any]) -> None:
    """Also where a module of torch's took the name over."""
    for module_name, module in sys.modules.copy().items():
        if not module_name.startswith("torch"):
            continue
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is function:
                setattr(module, name, by)
