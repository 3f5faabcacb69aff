-- What an app sent and got, of its newest calls and its newest failed ones; address is NULL where nothing is kept.
ALTER TABLE app_requests ADD COLUMN address TEXT;
ALTER TABLE app_requests ADD COLUMN request TEXT;
ALTER TABLE app_requests ADD COLUMN answer TEXT;
-- The authorization that the call was made with. The call may name no project.
ALTER TABLE app_requests ADD COLUMN authorization_id TEXT;
CREATE INDEX app_requests_kept ON app_requests(app_id, status >= 400, id) WHERE address IS NOT NULL;
CREATE INDEX app_requests_kept_by_project ON app_requests(project, app_id) WHERE address IS NOT NULL;
CREATE INDEX app_requests_kept_by_authorization ON app_requests(authorization_id) WHERE address IS NOT NULL;
-- Whether a contact of a project was deleted after a call whose row is about to be written.
CREATE INDEX erasures_by_time ON erasures(project_id, deleted_at);
