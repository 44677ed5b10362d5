"""Programs from installed packages, tiny and with random weights: figures that nobody here could tune the programs for.

Their forward lives in site-packages, only the call is ours. `catalog` lists them, `measure` says how far links reach,
whether recompiles of unchanged graphs give the same text, and how a ratio of times compares with one taken without us.
"""
