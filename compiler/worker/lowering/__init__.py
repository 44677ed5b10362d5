"""The process that lowers Triton kernels."""
