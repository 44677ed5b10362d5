"""Tables and trees: rows as values, the model that holds them, the filter, and the widget around them.

What a table shows is made by its pane; nothing here knows a capture. There is no other way to show rows: `tests/architecture/test_tables.py`.
"""
