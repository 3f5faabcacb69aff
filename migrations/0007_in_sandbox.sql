-- Nobody gets a message that the sandbox mailbox keeps, so counts of what was sent leave such messages out.
ALTER TABLE sending_hours ADD COLUMN in_sandbox INTEGER NOT NULL DEFAULT 0;
UPDATE sending_hours SET in_sandbox = sent
  WHERE connection_id IN (SELECT id FROM connections WHERE provider = 'sandbox');
ALTER TABLE deliveries ADD COLUMN in_sandbox INTEGER NOT NULL DEFAULT 0;
-- Of older campaigns it is known where they name their connection.
UPDATE deliveries SET in_sandbox = 1
  WHERE kind = 'campaign' AND status = 'sent' AND campaign_id IN (
    SELECT campaign.id FROM campaigns campaign JOIN connections connection ON connection.id = campaign.connection_id
    WHERE connection.provider = 'sandbox');
-- The messages of a campaign that the sandbox kept.
CREATE INDEX deliveries_in_sandbox ON deliveries(campaign_id) WHERE kind = 'campaign' AND in_sandbox = 1;
-- Suppressions by day, for the growth in the overview.
CREATE INDEX events_of_suppressions ON events(project_id, at) WHERE type = 'suppressed';
