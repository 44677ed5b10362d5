"""What the entry point ``loupe`` of ``torch_dynamo_backends`` names; loading it begins to record."""

from compiler.api.backend import loupe

__all__ = ["loupe"]
