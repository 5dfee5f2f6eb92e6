/**
 * Marks changed purchases for the metrics, in the statement that changes them: one narrow row each, without a unique
 * key that could block on another transaction. $1: project; `ids` selects the changed purchases, `now` is a parameter.
 */
export const markForMetrics = (ids: string, now: string): string => `
  INSERT INTO metric_changes (project_id, purchase_id, changed_at) SELECT $1, changed.id, ${now} FROM (${ids}) changed`;
