"""The workbench of a test, in the browser of the tests of the report page."""

from browser.conftest import axe, browser  # noqa: F401 - fixtures
from workbench.conftest import _postgresql, _project, live, workbench  # noqa: F401 - fixtures
