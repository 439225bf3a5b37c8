"""From names and paths to the pipeline: which task, which profile, which format, which settings.

The command line and the library ask here, so that both do the same.  What was inferred is reported in
:class:`Request` and can be overridden.  Here stands what most commands ask for; what only some do is in modules of
its own: ``validating``, ``converting``, ``agreeing``, ``sharing`` (a run among workers), and ``library``.
"""

from lydite.facade.ambient import ambient_settings as ambient_settings
from lydite.facade.choosing import Choice as Choice
from lydite.facade.choosing import Request as Request
from lydite.facade.choosing import choice_of as choice_of
from lydite.facade.choosing import find_task as find_task
from lydite.facade.choosing import request as request
from lydite.facade.choosing import task_of as task_of
from lydite.facade.runs import Runs as Runs
from lydite.facade.runs import runs_in as runs_in
from lydite.facade.scoring import ALL_BREAKDOWNS as ALL_BREAKDOWNS
from lydite.facade.scoring import EVERYTHING as EVERYTHING
from lydite.facade.scoring import refuse_unknown_breakdowns as refuse_unknown_breakdowns
from lydite.facade.scoring import score_files as score_files
from lydite.facade.scoring import score_sides as score_sides
from lydite.facade.scoring import workers_for as workers_for
from lydite.facade.sides import NO_TEAMS as NO_TEAMS
from lydite.facade.sides import Given as Given
from lydite.facade.sides import LeftOut as LeftOut
from lydite.facade.sides import corpus_of as corpus_of
from lydite.facade.sides import path_of as path_of
from lydite.facade.sides import read_equals as read_equals
from lydite.facade.sides import read_sides as read_sides
from lydite.facade.summaries import Summary as Summary
from lydite.facade.summaries import best_per_team as best_per_team
from lydite.facade.summaries import is_inside as is_inside
from lydite.facade.summaries import numbered as numbered
from lydite.facade.summaries import public_summary as public_summary
from lydite.facade.summaries import signed_with as signed_with
from lydite.facade.summaries import with_names as with_names
