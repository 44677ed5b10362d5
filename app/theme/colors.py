"""Colours of the light and the dark look. Names say what a colour is for, never what it looks like."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Colors:
    """One look. All values are ``#rrggbb``."""

    dark: bool
    window: str
    panel: str
    text: str
    dim_text: str
    line: str
    accent: str
    pinned: str
    hovered: str
    error: str
    warning: str
    good: str
    forward: str
    backward: str
    parameter: str
    input: str
    extern: str
    fused: str
    collective: str
    node: str
    node_text: str
    edge: str
    edited: str
    links: tuple[str, ...]
    """Cycling palette of backgrounds that a source line, its nodes, its kernel and its kernel lines share."""
    line_scale: float = 1.0
    """Times the usual width of lines on the canvas."""


LIGHT = Colors(
    dark=False,
    window="#f4f5f7",
    panel="#ffffff",
    text="#1d2129",
    dim_text="#667085",
    line="#d5d9e0",
    accent="#2d6bd5",
    pinned="#f0a020",
    hovered="#8ab4f8",
    error="#c62828",
    warning="#a26000",
    good="#2e7d32",
    forward="#3b6fb6",
    backward="#a45d36",
    parameter="#656f80",
    input="#447a62",
    extern="#6b5aa8",
    fused="#287b7b",
    collective="#687600",
    node="#ffffff",
    node_text="#1d2129",
    edge="#98a2b3",
    edited="#a83e9c",
    links=("#dbe9ff", "#ffe9c7", "#dcf2dc", "#f7dcea", "#e6e0fa", "#d5f1f1", "#fbe3d6", "#ecefc9"),
)

DARK = Colors(
    dark=True,
    window="#1b1e24",
    panel="#22262e",
    text="#e4e7ec",
    dim_text="#98a2b3",
    line="#3a404c",
    accent="#6ea0ff",
    pinned="#ffb84d",
    hovered="#5b82c9",
    error="#ff6b66",
    warning="#f0b455",
    good="#6cc774",
    forward="#6d9fe0",
    backward="#dd9468",
    parameter="#8f99aa",
    input="#72b595",
    extern="#a394dd",
    fused="#5cb8b8",
    collective="#c3cf52",
    node="#2b303a",
    node_text="#e4e7ec",
    edge="#667085",
    edited="#d877cc",
    links=("#263a5a", "#4c3f25", "#2a432f", "#4a2d3d", "#383257", "#214345", "#4b372d", "#3f4328"),
)
