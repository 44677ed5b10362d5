"""Are links true? A measure that uses neither our marks nor torch's own provenance.

The truth is made by changing the program. `ablation` finds every tensor operation in a source file and writes the file
again with one of them replaced: by an opaque operator of the same shape, strides and gradients (then all that the
operation made must be gone from every graph), or by a near relative that keeps the structure (then exactly the loops,
kernels and kernel lines that compute it read otherwise). `differences` compares what two captures made. `measuring` holds
the links of the original capture against that and counts. `random_programs` writes programs; ``python -m tests.links``
prints the table, `test_links` holds a small one to its aims.

A site is one operation in the source, known by its span of lines and columns.
"""
