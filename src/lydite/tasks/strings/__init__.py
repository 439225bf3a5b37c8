"""Items without offsets: entities, relations and events that are known by their words alone."""
