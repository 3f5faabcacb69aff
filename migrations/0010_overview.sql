-- Who left, by day: the overview's growth reads it.
CREATE INDEX events_of_leaving ON events(project_id, at) WHERE type = 'unsubscribe';
