"""torch's structured logs (``TORCH_TRACE``), read into captures without torch: lines, what they say of each compile, stages,
links. Nothing of a log is run, and no file that it names is opened.
"""
