"""Schemas of torch's operators, functions and methods of tensors."""

from typing import Any

import torch
import torch.fx.operator_schemas

GIVES = "operator schemas"
NEEDS = ("torch._ops:OpOverload", "torch._C:_jit_get_schemas_for_operator")


def schema_of(target: Any) -> Any:
    """The schema of an operator, or None for a Python function."""
    return getattr(target, "_schema", None)


def schemas_of_function(target: Any) -> list[Any]:
    """Every schema that a function of torch's own may be called by; none for a function in Python."""
    _, schemas = torch.fx.operator_schemas.get_signature_for_torch_op(target, return_schemas=True)
    return list(schemas or ())


def schemas_of_method(name: str) -> list[Any]:
    """Every schema of a method of tensors; the first parameter is the tensor."""
    return list(torch._C._jit_get_schemas_for_operator(f"aten::{name}"))


def type_of(argument: Any) -> Any:
    """The type of a schema's argument, dtypes and the like distinguished from whole numbers."""
    return getattr(argument, "real_type", argument.type)
