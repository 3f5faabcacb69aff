-- Counts the changes after which a caller may be another one: of tokens, keys, secrets, members, users, apps and what
-- they may do. What was read about a caller stays true while the number stays the same.
CREATE TABLE credentials_revision (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL
) STRICT;
INSERT INTO credentials_revision (id, value) VALUES (1, 1);

CREATE TRIGGER access_tokens_changed AFTER UPDATE OF authorization_id, scope, expires_at, revoked_at ON access_tokens
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER access_tokens_removed AFTER DELETE ON access_tokens
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER authorizations_changed AFTER UPDATE OF app_id, user_id, scope, revoked_at ON authorizations
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER authorizations_removed AFTER DELETE ON authorizations
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER authorization_projects_added AFTER INSERT ON authorization_projects
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER authorization_projects_removed AFTER DELETE ON authorization_projects
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER api_keys_changed AFTER UPDATE OF project_id, user_id, key_hash, role, scopes, expires_at, revoked_at
ON api_keys
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER api_keys_removed AFTER DELETE ON api_keys
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER members_added AFTER INSERT ON members
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER members_changed AFTER UPDATE ON members
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER members_removed AFTER DELETE ON members
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER users_changed AFTER UPDATE OF email, disabled_at, deleted_at ON users
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER users_removed AFTER DELETE ON users
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER projects_changed AFTER UPDATE OF public_id, deleted_at ON projects
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER apps_changed AFTER UPDATE ON apps
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER apps_removed AFTER DELETE ON apps
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER app_suspensions_added AFTER INSERT ON app_suspensions
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER app_suspensions_removed AFTER DELETE ON app_suspensions
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER app_secrets_added AFTER INSERT ON app_secrets
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER app_secrets_changed AFTER UPDATE OF app_id, secret_hash, revoked_at ON app_secrets
BEGIN UPDATE credentials_revision SET value = value + 1; END;
CREATE TRIGGER app_secrets_removed AFTER DELETE ON app_secrets
BEGIN UPDATE credentials_revision SET value = value + 1; END;
