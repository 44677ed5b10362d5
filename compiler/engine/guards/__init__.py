"""Guards of a live capture tried with other inputs.

How guards are read stands in `torch_internals.dynamo_guards`.
"""
