"""The page that one opens after scoring: one file with everything inside, made from documents and nothing else."""
