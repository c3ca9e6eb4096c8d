"""No test here asserts a time: hypothesis's deadline is one."""

from hypothesis import settings

settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")
