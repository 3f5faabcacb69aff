-- Failed imports are ended, too, when nobody tries them again.
DROP INDEX imports_uncommitted;
CREATE INDEX imports_unfinished ON imports(updated_at) WHERE status IN ('staged', 'validated', 'failed');
