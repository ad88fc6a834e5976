"""What can go wrong. Every exception says what happened and what to do about it."""

from __future__ import annotations

import json
from typing import Any


class RecordarError(Exception):
    """The base of all of them.

    ``code`` is a stable name for programs, ``what`` tells what happened, ``remedy`` what to do about it. ``details`` is what programs may
    want to know beside the words: ``mistakes`` of a configuration, ``paths`` of a descent that came to nothing.
    """

    code: str
    what: str
    remedy: str
    details: dict[str, Any] | None

    def __init__(self, code: str, what: str, remedy: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(code, what, remedy)
        self.code = code
        self.what = what
        self.remedy = remedy
        self.details = details

    def __str__(self) -> str:
        return f"{self.what}\n  try: {self.remedy}" if self.remedy else self.what


class InvalidError(RecordarError, ValueError):
    """The request has to change: an argument is wrong, missing or out of range."""


class ConfigurationError(RecordarError):
    """The configuration has to change. All mistakes are told at once."""


class NotFoundError(RecordarError, LookupError):
    """There is no such thing in the space."""


class ConflictError(RecordarError):
    """An operation id was used for something else, or a file or a space is there already."""


class UnavailableError(RecordarError):
    """The database is away, locked, full or can only be read. Repeating with the same ``operation`` does nothing twice."""


class ModelError(RecordarError):
    """The language model is away, or its replies cannot be used. ``code`` says which."""


class CeilingError(ModelError):
    """A ceiling on tokens or money would have been passed, so nothing was asked."""


class CancelledError(RecordarError):
    """The call was cancelled: what it had not committed, it never will. Of many files those that were stored stay."""


class DamagedError(RecordarError):
    """What is stored, or what was to be imported, is damaged."""


_BY_CODE: dict[str, type[RecordarError]] = {
    "invalid": InvalidError,
    "configuration": ConfigurationError,
    "untrusted_configuration": ConfigurationError,
    "helper_missing": InvalidError,
    "budget_exceeded": InvalidError,
    "no_tree": NotFoundError,
    "empty_paths": NotFoundError,
    "not_found": NotFoundError,
    "operation_reused": ConflictError,
    "exists": ConflictError,
    "cannot_connect": UnavailableError,
    "database_busy": UnavailableError,
    "connection_lost": UnavailableError,
    "database_read_only": UnavailableError,
    "disk_full": UnavailableError,
    "database_contended": UnavailableError,
    "foreign_database": ConfigurationError,
    "schema_newer": ConfigurationError,
    "database_damaged": DamagedError,
    "cancelled": CancelledError,
    "model_away": ModelError,
    "model_rate_limited": ModelError,
    "model_rejected": ModelError,
    "model_reply_unfit": ModelError,
    "model_unrecorded": ModelError,
    "model_ledger": ModelError,
    "model_ceiling": CeilingError,
    "model_configuration": ConfigurationError,
}


def from_code(code: str, what: str, remedy: str, details: str | None = None) -> RecordarError:
    """The exception for an error of the engine, which gives its details as JSON."""
    return _BY_CODE.get(code, RecordarError)(code, what, remedy, json.loads(details) if details else None)
