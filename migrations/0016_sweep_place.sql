-- How far a change of all recipients has come: the last recipient it has looked at.
ALTER TABLE campaigns ADD COLUMN sweep_after INTEGER NOT NULL DEFAULT 0;
