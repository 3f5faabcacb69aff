-- What the webhook of a connection received and did not understand. The same again is counted.
CREATE TABLE unread_reports (
  connection_id INTEGER NOT NULL REFERENCES connections(id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  -- The subject of a message, or the provider's name of an event.
  about TEXT NOT NULL,
  -- Of a message: its media type, and the domain that it says it comes from. Else empty.
  media_type TEXT NOT NULL,
  sender_domain TEXT NOT NULL,
  -- Of the last one.
  bytes INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (connection_id, reason, about, media_type, sender_domain)
) STRICT, WITHOUT ROWID;
-- The newest of a connection.
CREATE INDEX unread_reports_by_connection ON unread_reports(connection_id, last_at);
-- Old ones, for the cleanup.
CREATE INDEX unread_reports_by_age ON unread_reports(last_at);
