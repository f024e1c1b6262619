"""A fitted tree in another format: one file, one format."""

from .text import export_text

__all__ = ["export_text"]
