"""The exceptions. Each says what happened and what to do about it."""

from __future__ import annotations

import json
from typing import Any


class RecordarError(Exception):
    """The base class of all exceptions.

    ``code`` is a stable name for programs, ``what`` says what happened, ``remedy`` what to do about it. ``details`` has more for
    programs: the ``mistakes`` of a configuration, or the ``paths`` of a descent that found nothing.
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
    """The request is invalid: an argument is wrong, missing or out of range."""


class ConfigurationError(RecordarError):
    """The configuration is invalid. All mistakes are reported at once."""


class NotFoundError(RecordarError, LookupError):
    """What was asked for does not exist in the space, or there is no database yet: the first write creates it."""


class ConflictError(RecordarError):
    """An operation id was used for something else, or a file or a space already exists."""


class UnavailableError(RecordarError):
    """The database or the server is unreachable or busy, or the database is full or read-only, or its user lacks rights. It is safe to retry with
    the same ``operation``."""


class UnauthorizedError(RecordarError):
    """The server does not accept the key (``unauthorized``), or the key does not allow this call (``out_of_reach``)."""


class ModelError(RecordarError):
    """The language model is unreachable, or its replies are unusable; or a model from a folder is missing, damaged or changed. ``code`` says which."""


class CeilingError(ModelError):
    """A limit on tokens or money would be exceeded, so the model was not called."""


class CancelledError(RecordarError):
    """The call was cancelled: nothing more is committed. Files that were already stored stay."""


class DamagedError(RecordarError):
    """The stored data, or the file to import, is damaged."""


_BY_CODE: dict[str, type[RecordarError]] = {
    "invalid": InvalidError,
    "configuration": ConfigurationError,
    "untrusted_configuration": ConfigurationError,
    "helper_missing": InvalidError,
    "budget_exceeded": InvalidError,
    "no_tree": NotFoundError,
    "empty_paths": NotFoundError,
    "not_found": NotFoundError,
    "no_database": NotFoundError,
    "operation_reused": ConflictError,
    "exists": ConflictError,
    "cannot_connect": UnavailableError,
    "database_busy": UnavailableError,
    "connection_lost": UnavailableError,
    "database_read_only": UnavailableError,
    "database_denied": UnavailableError,
    "disk_full": UnavailableError,
    "database_contended": UnavailableError,
    "foreign_database": ConfigurationError,
    "schema_newer": ConfigurationError,
    "database_damaged": DamagedError,
    "cancelled": CancelledError,
    "unauthorized": UnauthorizedError,
    "out_of_reach": UnauthorizedError,
    "turned_away": UnauthorizedError,
    "busy": UnavailableError,
    "stopping": UnavailableError,
    "too_many_requests": UnavailableError,
    "timeout": UnavailableError,
    "too_large": InvalidError,
    "model_away": ModelError,
    "model_rate_limited": ModelError,
    "model_rejected": ModelError,
    "model_reply_unfit": ModelError,
    "model_unrecorded": ModelError,
    "model_ledger": ModelError,
    "model_ceiling": CeilingError,
    "model_configuration": ConfigurationError,
    "model_folder": ModelError,
}


def from_code(code: str, what: str, remedy: str, details: str | None = None) -> RecordarError:
    """The exception for an error of the engine, whose details are JSON."""
    return _BY_CODE.get(code, RecordarError)(code, what, remedy, json.loads(details) if details else None)
