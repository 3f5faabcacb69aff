-- What the tracked links of a campaign lead to. A row never changes: a link in an old message leads where it led.
CREATE TABLE campaign_links (
  campaign_id INTEGER NOT NULL REFERENCES campaigns(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (campaign_id, position)
) STRICT, WITHOUT ROWID;

-- Appended to the links of a campaign; empty: not.
ALTER TABLE campaigns ADD COLUMN utm_source TEXT NOT NULL DEFAULT '';
ALTER TABLE campaigns ADD COLUMN utm_medium TEXT NOT NULL DEFAULT '';
ALTER TABLE campaigns ADD COLUMN utm_campaign TEXT NOT NULL DEFAULT '';

-- Where a relay's reports come in, the domain that bounces go to, and what the DNS said when it was asked last.
ALTER TABLE connections ADD COLUMN bounce_domain TEXT NOT NULL DEFAULT '';
ALTER TABLE connections ADD COLUMN webhook_token_hash TEXT;
ALTER TABLE connections ADD COLUMN webhook_token_sealed TEXT;
ALTER TABLE connections ADD COLUMN dns TEXT;
CREATE UNIQUE INDEX connections_by_webhook_token ON connections(webhook_token_hash) WHERE webhook_token_hash IS NOT NULL;

-- Reports that were taken in, so that one which comes twice counts once; forgotten after a while.
CREATE TABLE provider_events (
  connection_id INTEGER NOT NULL REFERENCES connections(id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (connection_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_events_by_age ON provider_events(seen_at);

-- Addresses whose last messages bounced softly, one after the other.
CREATE TABLE soft_bounces (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email_key TEXT NOT NULL,
  bounces INTEGER NOT NULL,
  last_delivery_id INTEGER,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, email_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX soft_bounces_by_age ON soft_bounces(last_at);
