"""The verbs that this package adds to the command ``lydite``."""

VERBS = {
    "serve": (
        "lydite_workbench.commands.serve",
        "Serve the workbench: campaigns, runs and leaderboards in the browser.",
    ),
    "submit": ("lydite_workbench.commands.submit", "Send a run to a workbench."),
    "worker": ("lydite_workbench.commands.worker", "Do the jobs of a workbench: validate, score, compare."),
    "workbench": (
        "lydite_workbench.commands",
        "Administer a workbench: accounts, campaigns, teams, backups.",
    ),
}
