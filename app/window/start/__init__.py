"""What one sees before anything is open: the welcome page, examples, recent files.

The form for a program is `open_form`.
"""
