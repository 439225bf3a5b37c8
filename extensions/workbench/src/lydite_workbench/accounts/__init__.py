"""Who people are: accounts, invitations, tokens, roles, and the log of what was done."""
