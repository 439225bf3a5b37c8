"""Reports: a summary in, text out; the only room that rounds."""
