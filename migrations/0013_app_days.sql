-- All calls of an app by day, those for no project too.
CREATE TABLE app_days (
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  -- Days since 1970.
  day INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  -- Those of them that were refused or failed.
  errors INTEGER NOT NULL,
  PRIMARY KEY (app_id, day)
) STRICT, WITHOUT ROWID;
-- Old counts, for the cleanup.
CREATE INDEX app_days_by_day ON app_days(day);
INSERT INTO app_days (app_id, day, calls, errors)
  SELECT app_id, day, sum(calls), sum(errors) FROM app_calls GROUP BY app_id, day;
