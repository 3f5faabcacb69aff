-- Whether people chose how many connections to a relay are open at once. The default grows with `max_per_second`.
ALTER TABLE connections ADD COLUMN max_connections_chosen INTEGER NOT NULL DEFAULT 0;
UPDATE connections SET max_connections_chosen = 1 WHERE max_connections <> 10;
