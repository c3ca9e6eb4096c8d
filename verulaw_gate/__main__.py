"""`python -m verulaw_gate`."""

import sys

from verulaw_gate.cli.main import main

sys.exit(main())
