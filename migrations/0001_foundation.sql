-- The foundation: accounts, projects, access, receipts and limits, and the newsletter up to a sent campaign.
-- Times are milliseconds since the epoch; flags are 0 or 1; a …_key column is its neighbour in lower case, for comparison.

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  admin INTEGER NOT NULL DEFAULT 0,
  confirmed_at INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  user_agent TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX sessions_by_user ON sessions(user_id);
CREATE INDEX sessions_by_expiry ON sessions(expires_at);

CREATE TABLE setup_links (
  token_hash TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  domain TEXT UNIQUE,
  monthly_limit INTEGER,
  contact_limit INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'administrator', 'editor', 'member')),
  added_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_user ON members(user_id);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id),
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_project ON api_keys(project_id, created_at, id);

CREATE TABLE apps (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL UNIQUE,
  client_type TEXT NOT NULL CHECK (client_type IN ('confidential', 'public')),
  display_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  homepage TEXT NOT NULL DEFAULT '',
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users(id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX apps_by_user ON apps(user_id);

CREATE TABLE authorizations (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  grant_type TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX authorizations_by_user ON authorizations(user_id, app_id);
CREATE INDEX authorizations_by_app ON authorizations(app_id);

CREATE TABLE authorization_projects (
  authorization_id TEXT NOT NULL REFERENCES authorizations(id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY (authorization_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX authorization_projects_by_project ON authorization_projects(project_id);

CREATE TABLE access_tokens (
  token_hash TEXT PRIMARY KEY,
  authorization_id TEXT NOT NULL REFERENCES authorizations(id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX access_tokens_by_authorization ON access_tokens(authorization_id);
CREATE INDEX access_tokens_by_expiry ON access_tokens(expires_at);

-- One row a limited thing: a project's reads, an address's logins. A window begins with its first request.
CREATE TABLE rate_windows (
  bucket TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  granted INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rate_windows_by_start ON rate_windows(started_at);

CREATE TABLE receipts (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  actor TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'completed')),
  status INTEGER,
  response TEXT,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  UNIQUE (project_id, actor, operation, idempotency_key)
) STRICT;
CREATE INDEX receipts_by_completion ON receipts(completed_at) WHERE state = 'completed';

-- A process that works on leases. Its leases hold as long as its row is fresh.
CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  alive_until INTEGER NOT NULL
) STRICT;

CREATE TABLE newsletter_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  from_name TEXT NOT NULL DEFAULT '',
  from_email TEXT NOT NULL DEFAULT '',
  reply_to TEXT NOT NULL DEFAULT '',
  company_name TEXT NOT NULL DEFAULT '',
  postal_address TEXT NOT NULL DEFAULT '',
  default_connection_id INTEGER,
  timezone TEXT NOT NULL DEFAULT 'UTC',
  locale TEXT NOT NULL DEFAULT 'en',
  footer_text TEXT NOT NULL DEFAULT '',
  track_opens INTEGER NOT NULL DEFAULT 1,
  track_clicks INTEGER NOT NULL DEFAULT 1,
  confirmation_subject TEXT NOT NULL DEFAULT '',
  confirmation_text TEXT NOT NULL DEFAULT '',
  brand_color TEXT NOT NULL DEFAULT '',
  logo_url TEXT NOT NULL DEFAULT '',
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE connections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  provider TEXT NOT NULL,
  host TEXT NOT NULL DEFAULT '',
  port INTEGER NOT NULL DEFAULT 0,
  secure TEXT NOT NULL DEFAULT 'starttls',
  username TEXT NOT NULL DEFAULT '',
  password_sealed TEXT,
  from_domain TEXT NOT NULL DEFAULT '',
  max_per_second REAL,
  max_per_day INTEGER,
  max_connections INTEGER NOT NULL DEFAULT 10,
  webhook_secret_sealed TEXT,
  verified_at INTEGER,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX connections_in_order ON connections(project_id, created_at, id);

-- The token bucket of a connection with max_per_second; shared by all processes.
CREATE TABLE connection_buckets (
  connection_id INTEGER PRIMARY KEY REFERENCES connections(id) ON DELETE CASCADE,
  tokens REAL NOT NULL,
  refilled_at INTEGER NOT NULL
) STRICT;

-- How many messages left, by hour: what daily and monthly limits and the overview read.
CREATE TABLE sending_hours (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  connection_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (project_id, connection_id, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  double_opt_in INTEGER NOT NULL DEFAULT 0,
  public INTEGER NOT NULL DEFAULT 1,
  archived_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX lists_in_order ON lists(project_id, created_at, id);

CREATE TABLE tags (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  color TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX tags_in_order ON tags(project_id, created_at, id);

CREATE TABLE custom_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'select')),
  options TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, key)
) STRICT;
CREATE INDEX custom_fields_in_order ON custom_fields(project_id, created_at, id);

CREATE TABLE contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  search_key TEXT NOT NULL,
  global_status TEXT NOT NULL CHECK (global_status IN ('pending', 'subscribed', 'unsubscribed', 'bounced', 'complained')),
  custom_fields TEXT NOT NULL DEFAULT '{}',
  consent_text TEXT NOT NULL DEFAULT '',
  consent_source TEXT NOT NULL DEFAULT '',
  consent_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, email_key)
) STRICT;
CREATE INDEX contacts_in_order ON contacts(project_id, created_at, id);
CREATE INDEX contacts_by_status ON contacts(project_id, global_status, created_at, id);

CREATE TABLE memberships (
  contact_id INTEGER NOT NULL REFERENCES contacts(id) ON DELETE CASCADE,
  list_id INTEGER NOT NULL REFERENCES lists(id) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('pending', 'subscribed', 'unsubscribed')),
  subscribed_at INTEGER,
  unsubscribed_at INTEGER,
  confirmation_sent_at INTEGER,
  PRIMARY KEY (contact_id, list_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_list ON memberships(list_id, status, contact_id);

CREATE TABLE contact_tags (
  contact_id INTEGER NOT NULL REFERENCES contacts(id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
  PRIMARY KEY (contact_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_tags_by_tag ON contact_tags(tag_id, contact_id);

-- Evidence: what somebody agreed to, in which words, when and from where. Rows are added, never changed but by confirmation.
CREATE TABLE consents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL REFERENCES contacts(id) ON DELETE CASCADE,
  list_id INTEGER,
  text TEXT NOT NULL,
  source TEXT NOT NULL,
  at INTEGER NOT NULL,
  address TEXT,
  user_agent TEXT,
  confirmed_at INTEGER,
  confirmed_address TEXT,
  confirmed_user_agent TEXT
) STRICT;
CREATE INDEX consents_by_contact ON consents(contact_id, id);

CREATE TABLE suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('hard_bounce', 'complaint', 'unsubscribe', 'manual')),
  note TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (project_id, email_key)
) STRICT;
CREATE INDEX suppressions_in_order ON suppressions(project_id, created_at, id);
CREATE INDEX suppressions_by_reason ON suppressions(project_id, reason, created_at, id);

CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  search_key TEXT NOT NULL,
  subject TEXT NOT NULL,
  preheader TEXT NOT NULL DEFAULT '',
  editor_json TEXT NOT NULL,
  audience_spec TEXT NOT NULL,
  connection_id INTEGER,
  from_name TEXT NOT NULL DEFAULT '',
  from_email TEXT NOT NULL DEFAULT '',
  reply_to TEXT NOT NULL DEFAULT '',
  track_opens INTEGER NOT NULL,
  track_clicks INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'preparing', 'sending', 'sent', 'paused', 'cancelled', 'failed')),
  scheduled_at INTEGER,
  timezone TEXT,
  started_at INTEGER,
  finished_at INTEGER,
  failure TEXT,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX campaigns_in_order ON campaigns(project_id, created_at, id);
CREATE INDEX campaigns_by_status ON campaigns(status, project_id, created_at, id);

-- The outbox: one row a message. The states are drawn in newsletter/delivery/outbox.ts.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('campaign', 'confirmation', 'test')),
  campaign_id INTEGER REFERENCES campaigns(id),
  contact_id INTEGER,
  email TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  worker_id TEXT,
  lease_id TEXT,
  message_id TEXT,
  last_error TEXT,
  sent_at INTEGER,
  content TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX deliveries_once ON deliveries(campaign_id, contact_id) WHERE kind = 'campaign';
CREATE INDEX deliveries_due ON deliveries(campaign_id, next_attempt_at, id) WHERE status = 'queued' AND kind = 'campaign';
CREATE INDEX deliveries_due_single ON deliveries(next_attempt_at, id) WHERE status = 'queued' AND kind <> 'campaign';
CREATE INDEX deliveries_leased ON deliveries(worker_id) WHERE status IN ('leased', 'sending');
CREATE INDEX deliveries_by_status ON deliveries(campaign_id, status, id) WHERE kind = 'campaign';
CREATE INDEX deliveries_by_contact ON deliveries(contact_id, id);

-- What happened, to whom, in which campaign (if any): reports and a contact's history read it.
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  campaign_id INTEGER,
  delivery_id INTEGER,
  contact_id INTEGER,
  list_id INTEGER,
  email TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL,
  url TEXT,
  user_agent TEXT,
  machine INTEGER NOT NULL DEFAULT 0,
  detail TEXT
) STRICT;
CREATE INDEX events_by_campaign ON events(campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX events_by_campaign_type ON events(campaign_id, type, delivery_id) WHERE campaign_id IS NOT NULL AND type <> 'sent';
CREATE INDEX events_by_contact ON events(contact_id, id);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  payload TEXT NOT NULL,
  position INTEGER NOT NULL DEFAULT 0,
  processed INTEGER NOT NULL DEFAULT 0,
  total INTEGER,
  error TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  worker_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_in_order ON jobs(project_id, created_at, id);
CREATE INDEX jobs_due ON jobs(next_attempt_at, id) WHERE status = 'queued';
CREATE INDEX jobs_running ON jobs(worker_id) WHERE status = 'running';

-- The sandbox mailbox: messages that were kept instead of sent.
CREATE TABLE sandbox_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  recipient_key TEXT NOT NULL,
  raw TEXT NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_messages_by_recipient ON sandbox_messages(recipient_key, id);
