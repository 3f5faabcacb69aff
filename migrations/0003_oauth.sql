-- The secrets of confidential clients. Two may be active at once, so that one can be replaced without a gap.
CREATE TABLE app_secrets (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  secret_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX app_secrets_by_app ON app_secrets(app_id, created_at);

-- An app may demand PKCE of itself; of public clients it is always demanded.
ALTER TABLE apps ADD COLUMN require_pkce INTEGER NOT NULL DEFAULT 0;

-- What a user approved and the app has not fetched yet. `authorization_id` is set when the code is used.
CREATE TABLE authorization_codes (
  code_hash TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  scope TEXT NOT NULL,
  project_ids TEXT NOT NULL,
  code_challenge TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  authorization_id TEXT REFERENCES authorizations(id) ON DELETE CASCADE
) STRICT;
CREATE INDEX authorization_codes_by_expiry ON authorization_codes(expires_at);
CREATE INDEX authorization_codes_by_authorization ON authorization_codes(authorization_id) WHERE authorization_id IS NOT NULL;
CREATE INDEX authorization_codes_by_app ON authorization_codes(app_id);
CREATE INDEX authorization_codes_by_user ON authorization_codes(user_id);

-- A rotated token stays as long as its grant lives: that it is presented again must be noticed.
CREATE TABLE refresh_tokens (
  token_hash TEXT PRIMARY KEY,
  authorization_id TEXT NOT NULL REFERENCES authorizations(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  rotated_at INTEGER,
  successor_hash TEXT,
  sealed_answer TEXT,
  CHECK ((rotated_at IS NULL) = (successor_hash IS NULL))
) STRICT;
CREATE INDEX refresh_tokens_by_authorization ON refresh_tokens(authorization_id);
CREATE INDEX refresh_tokens_with_answer ON refresh_tokens(rotated_at) WHERE sealed_answer IS NOT NULL;

-- Consent forms that were sent: each works once.
CREATE TABLE used_consent_tickets (
  ticket_hash TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_consent_tickets_by_use ON used_consent_tickets(used_at);
