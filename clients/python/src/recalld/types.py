"""The JSON of requests and responses, as typed dictionaries."""

from ._generated.types import *  # noqa: F403
