-- How fast a connection sends: a token bucket for itself (lane '') and for each mailbox provider it is held back at,
-- and the day on which its warm-up began.
DROP TABLE connection_buckets;
CREATE TABLE send_buckets (
  connection_id INTEGER NOT NULL REFERENCES connections(id) ON DELETE CASCADE,
  lane TEXT NOT NULL,
  tokens REAL NOT NULL,
  refilled_at INTEGER NOT NULL,
  PRIMARY KEY (connection_id, lane)
) STRICT, WITHOUT ROWID;
ALTER TABLE connections ADD COLUMN mailbox_limits TEXT;
ALTER TABLE connections ADD COLUMN warm_up_started_at INTEGER;
