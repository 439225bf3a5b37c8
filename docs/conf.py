"""Sphinx configuration; pages that follow from the code are written by ``generate.py`` before the build."""

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import generate

from lydite.version import __version__

generate.write()
generate.write_examples()

project = "lydite"
author = "The lydite authors"
copyright = "the lydite authors, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "mathml"]
html_math_renderer = "mathml"
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_generated"]
html_extra_path = ["_generated/extra"]
html_theme = "furo"
html_title = f"lydite {__version__}"
html_copy_source = False

myst_enable_extensions = ["deflist", "dollarmath", "colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
nitpicky = False
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # samples of invalid files are not valid
if tuple(map(int, metadata.version("myst-parser").split(".")[:2])) < (5, 2):
    # Older ones do not know targets such as (pilot)= of other pages; tests/docs/test_pages.py follows every link.
    suppress_warnings.append("myst.xref_missing")
