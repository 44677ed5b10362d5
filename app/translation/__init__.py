"""Texts of the window in the person's language, by Qt's translator. Texts from the compiler, torch and programs stay as they are."""
