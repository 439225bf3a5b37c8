"""``make fuzz``."""

import sys

from fuzz.attack import main

sys.exit(main(sys.argv[1:]))
