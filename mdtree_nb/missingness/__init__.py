"""Missing values in a table: count them."""

from .summary import missing_summary

__all__ = ["missing_summary"]
