-- The reports of a campaign are counted in these two indexes alone: a million events are not looked up one by one.
DROP INDEX events_by_campaign;
CREATE INDEX events_by_campaign ON events(campaign_id, id, type, machine, at) WHERE campaign_id IS NOT NULL;
DROP INDEX events_by_campaign_type;
CREATE INDEX events_by_campaign_type ON events(campaign_id, type, delivery_id, machine) WHERE campaign_id IS NOT NULL AND type <> 'sent';
