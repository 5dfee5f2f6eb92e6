/** A changed field, without values if the log contains none. */
export interface AuditChange {
  field: string;
  values: { before: unknown; after: unknown } | null;
}

/** Projects record `{ old, new }`, organizations `[old, new]`. Anything else has no values. */
function valuesOf(change: unknown): AuditChange['values'] {
  if (Array.isArray(change)) return { before: change[0], after: change[1] };
  if (typeof change !== 'object' || change === null || !('old' in change && 'new' in change)) return null;
  return { before: change.old, after: change.new };
}

/** Returns the changes in an audit log entry, by field. */
export function auditChangesIn(data: Readonly<Record<string, unknown>>): AuditChange[] {
  const { changes, changed_fields: named } = data;
  const recorded = new Map<string, unknown>(
    typeof changes === 'object' && changes !== null ? Object.entries(changes) : [],
  );
  const names = Array.isArray(named) ? named.filter((name) => typeof name === 'string') : [];
  return [...new Set([...names, ...recorded.keys()])]
    .sort()
    .map((field) => ({ field, values: valuesOf(recorded.get(field)) }));
}
