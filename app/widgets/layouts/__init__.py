"""Layouts that Qt has not: how widgets share room. They know nothing of what they hold."""
