"""Torch Loupe: explore and edit every stage of the PyTorch 2 compile pipeline.

In the repository this is all that lives here; the wheel has `app`, `compiler` and `resources` below it.
"""
