"""A capture as one HTML file that needs no Torch Loupe, no torch and no network to be read.

What the page says is made here as plain data; how it looks and reacts stands in ``resources/share_page``.
"""
