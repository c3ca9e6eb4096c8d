"""What `check` and `verus` share: inputs, bases, suppressions, baseline, fixes, output formats.

Everything here but `inputs`, `git` and `fixes.write` is pure; nothing here prints.
"""
