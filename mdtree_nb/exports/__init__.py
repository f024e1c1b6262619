"""A fitted tree in another format: one file (or folder), one format."""

from .json import export_json, import_json
from .text import export_text

__all__ = ["export_json", "export_text", "import_json"]
