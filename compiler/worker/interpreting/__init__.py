"""The process that runs Triton kernels through the interpreter."""
