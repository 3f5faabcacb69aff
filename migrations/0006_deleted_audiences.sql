-- The lists, tags and segments that a project had: an audience may still name them.
CREATE INDEX audit_log_deleted_audiences ON audit_log(project_id, target)
  WHERE action IN ('lists/delete', 'tags/delete', 'segments/delete');
