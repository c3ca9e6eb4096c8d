"""Settings for all tests: properties have no deadline, for a busy machine is no fault."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tests", deadline=None)
settings.load_profile("tests")
