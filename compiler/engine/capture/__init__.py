"""One run of torch.compile, from hooks to a Capture.

Compiling edited graphs again is `recompile`.
"""
