"""What a person can do, as rows of data from which menus, toolbar, palette and keys are made.

What an action does stands in the session and the window.
"""
