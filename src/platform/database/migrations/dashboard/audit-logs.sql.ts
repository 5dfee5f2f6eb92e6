/** For the filters of the audit log, each newest first. */
export const auditLogIndexes = `
CREATE INDEX audit_logs_by_target ON audit_logs (project_id, target_identifier, occurred_at, id);
CREATE INDEX audit_logs_by_action ON audit_logs (project_id, action_type, occurred_at, id);
CREATE INDEX audit_logs_by_actor ON audit_logs (project_id, actor_identifier, occurred_at, id);
`;
