"""The only folder that touches private torch API: one hook per file.

Every hook file says what it gives (``GIVES``) and what it needs of this torch (``NEEDS``, as ``module:attribute``), and
has ``listen(recorder)``, a context manager that puts its functions in and takes them out again.
"""
