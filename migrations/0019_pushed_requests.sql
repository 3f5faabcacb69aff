-- Authorization requests that apps pushed (RFC 9126). A row goes with the answer to it.
CREATE TABLE pushed_requests (
  request_hash TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  parameters TEXT NOT NULL,
  opened_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pushed_requests_by_expiry ON pushed_requests(expires_at);
CREATE INDEX pushed_requests_by_app ON pushed_requests(app_id);

-- An app may demand of itself that all its requests are pushed.
ALTER TABLE apps ADD COLUMN require_par INTEGER NOT NULL DEFAULT 0;
