-- What a campaign's life needs: a change of all its recipients that is made in steps, and how many messages were handed
-- over, which the share of bounces and complaints is measured against.
ALTER TABLE campaigns ADD COLUMN sweep TEXT;
ALTER TABLE campaigns ADD COLUMN handed_over INTEGER NOT NULL DEFAULT 0;
-- The share of bounces or complaints, measured in limits, above which the campaign pauses itself.
ALTER TABLE campaigns ADD COLUMN tolerated REAL NOT NULL DEFAULT 1;
CREATE INDEX campaigns_to_sweep ON campaigns(id) WHERE sweep IS NOT NULL;
CREATE INDEX campaigns_scheduled ON campaigns(scheduled_at) WHERE status = 'scheduled';
