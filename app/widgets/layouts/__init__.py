"""Layouts that Qt has not: how widgets share room, and what is not to be covered. They know nothing of what they hold."""
