"""torch.jit: scripted and traced programs, their IR, passes, and C++ runner.

Private parts of torch.jit are `torch_internals.torchscript`.
"""
