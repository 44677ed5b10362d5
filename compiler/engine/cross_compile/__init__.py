"""GPUs that are absent: captures on fake tensors, and Triton kernels checked on the CPU.

What it sets in torch stands in `torch_internals.fake_gpu`.
"""
