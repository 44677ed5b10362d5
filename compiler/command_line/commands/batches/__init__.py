"""``loupe batch``: many programs captured, each in processes of its own, here or through Dask; kept, resumed, compared.

Manifest, jobs and rows are values (`compiler.model.batch`), what is reported of them `compiler.analysis.batch`.
"""
